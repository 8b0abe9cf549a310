"use client";

import { type FormEvent, useState } from "react";
import { methodOf } from "@/components/certificates/renewals/renewal-form-fields";
import { failureOf } from "@/components/states/failure";
import { FormEnd } from "@/components/states/form-end";
import { useBulk } from "@/components/table/use-bulk";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input, Select } from "@/components/ui/field";
import { type RenewalMethod, renewalMethodLabels, renewalMethods } from "@/lib/certificates/renewal-fields";
import type { BulkOutcome } from "@/lib/http/schemas/bulk";

const MAX_LENGTH = 100;

interface Change {
  owner: string | null;
  renewal_method?: RenewalMethod | null;
}

/** Sets who renews the certificates of the selected endpoints, and how. */
export function OwnerButton({
  noun,
  title,
  send,
}: {
  noun: string;
  /** Of the dialog: "Owner of 3 endpoints". */
  title: string;
  send: (ids: string[], change: Change) => Promise<BulkOutcome[]>;
}) {
  const save = useBulk(noun);
  const [isOpen, setIsOpen] = useState(false);
  const [owner, setOwner] = useState("");
  const [method, setMethod] = useState<RenewalMethod | "">("");
  const act = (change: Change) => {
    const done = change.owner === null ? "now without an owner" : `now owned by ${change.owner}`;
    save.mutate({ send: (ids) => send(ids, change), done }, { onSuccess: () => setIsOpen(false) });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    act({ owner: owner.trim() === "" ? null : owner.trim(), ...(method !== "" && { renewal_method: method }) });
  };
  const open = () => {
    save.reset();
    setOwner("");
    setMethod("");
    setIsOpen(true);
  };
  const failure = failureOf(save.error, ["owner"]);
  return (
    <>
      <Button onClick={open}>Owner…</Button>
      <Dialog open={isOpen} onOpenChange={setIsOpen} title={title}>
        <form onSubmit={submit} noValidate className="grid gap-4">
          <Field
            label="Owner"
            error={failure.fields.owner}
            hint="Who renews the certificates. Leave empty for no owner."
          >
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
          <FormEnd
            error={save.error}
            message={failure.message}
            action="Save owner"
            pending={save.isPending}
            onCancel={() => setIsOpen(false)}
          />
        </form>
      </Dialog>
    </>
  );
}
