"use client";

import { type FormEvent, useState } from "react";
import { methodOf } from "@/components/certificates/renewals/renewal-form-fields";
import type { BulkAct } from "@/components/table/use-bulk";
import { Button } from "@/components/ui/button";
import { CancelButton, Dialog, DialogButtons } from "@/components/ui/dialog";
import { Field, Input, Select } from "@/components/ui/field";
import { type RenewalMethod, renewalMethodLabels, renewalMethods } from "@/lib/certificates/renewal-fields";
import type { BulkOutcome } from "@/lib/http/endpoint";

const MAX_LENGTH = 100;

/** Sets who renews the certificates of the selected endpoints, and how. */
interface Change {
  owner: string | null;
  renewal_method?: RenewalMethod | null;
}

/** Names who renews the certificates of the selected endpoints. */
export function OwnerButton({
  title,
  pending,
  send,
  onAct,
}: {
  /** Of the dialog: "Owner of 3 endpoints". */
  title: string;
  pending: boolean;
  send: (ids: string[], change: Change) => Promise<BulkOutcome[]>;
  onAct: (act: BulkAct) => void;
}) {
  const [isOpen, setIsOpen] = useState(false);
  const [owner, setOwner] = useState("");
  const [method, setMethod] = useState<RenewalMethod | "">("");
  const act = (change: Change) => {
    setIsOpen(false);
    const done = change.owner === null ? "no longer have an owner" : `now owned by ${change.owner}`;
    onAct({ send: (ids) => send(ids, change), done });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    act({ owner: owner.trim() === "" ? null : owner.trim(), ...(method !== "" && { renewal_method: method }) });
  };
  const open = () => {
    setOwner("");
    setMethod("");
    setIsOpen(true);
  };
  return (
    <>
      <Button pending={pending} onClick={open}>
        Owner…
      </Button>
      <Dialog open={isOpen} onOpenChange={setIsOpen} title={title}>
        <form onSubmit={submit} noValidate>
          <div className="grid gap-4">
            <Field label="Owner" hint="Who renews the certificates. Leave empty for no owner.">
              {(control) => (
                <Input
                  {...control}
                  maxLength={MAX_LENGTH}
                  value={owner}
                  onChange={(event) => setOwner(event.target.value)}
                />
              )}
            </Field>
            <Field label="Method">
              {(control) => (
                <Select {...control} value={method} onChange={(event) => setMethod(methodOf(event.target.value))}>
                  <option value="">As it is</option>
                  {renewalMethods.map((each) => (
                    <option key={each} value={each}>
                      {renewalMethodLabels[each]}
                    </option>
                  ))}
                </Select>
              )}
            </Field>
          </div>
          <DialogButtons>
            <CancelButton onClick={() => setIsOpen(false)} />
            <Button type="submit" kind="primary">
              Save owner
            </Button>
          </DialogButtons>
        </form>
      </Dialog>
    </>
  );
}
