"use client";

import { type FormEvent, useState } from "react";
import { type OwnerChange, ownerChange, ownerWords } from "@/components/certificates/renewals/owner-change";
import { methodOf } from "@/components/certificates/renewals/renewal-form-fields";
import { failureOf } from "@/components/states/failure";
import { FormFailure } from "@/components/states/form-failure";
import { useBulk } from "@/components/table/use-bulk";
import { Button } from "@/components/ui/button";
import { Dialog, DialogButtons } from "@/components/ui/dialog";
import { Field, Input, Select } from "@/components/ui/field";
import { type RenewalMethod, renewalMethodLabels, renewalMethods } from "@/lib/certificates/renewal-fields";
import type { BulkOutcome } from "@/lib/http/schemas/bulk";

const MAX_LENGTH = 100;

/** Sets who renews the certificates of the selected endpoints, or how, or removes their owners. */
export function OwnerButton({
  noun,
  title,
  send,
}: {
  noun: string;
  /** Of the dialog: "Owner of 3 endpoints". */
  title: string;
  send: (ids: string[], change: OwnerChange) => Promise<BulkOutcome[]>;
}) {
  const save = useBulk(noun);
  const [isOpen, setIsOpen] = useState(false);
  const [owner, setOwner] = useState("");
  const [method, setMethod] = useState<RenewalMethod | "">("");
  const [error, setError] = useState<string | undefined>();
  const act = (change: OwnerChange) => {
    setError(undefined);
    const sent = { send: (ids: string[]) => send(ids, change), done: ownerWords(change) };
    save.mutate(sent, { onSuccess: () => setIsOpen(false) });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const change = ownerChange(owner, method);
    if (Object.keys(change).length === 0) return setError("Enter an owner, or choose a method.");
    act(change);
  };
  const open = () => {
    save.reset();
    setOwner("");
    setMethod("");
    setError(undefined);
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
            error={error ?? failure.fields.owner}
            hint="Who renews the certificates. If empty, owners stay as they are."
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
          <FormFailure error={save.error} message={failure.message} />
          <DialogButtons>
            <Button aria-disabled={save.isPending} onClick={() => act({ ...ownerChange("", method), owner: null })}>
              Remove owner
            </Button>
            <Button type="submit" kind="primary" pending={save.isPending}>
              Save
            </Button>
          </DialogButtons>
        </form>
      </Dialog>
    </>
  );
}
