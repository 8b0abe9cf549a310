"use client";

import { type FormEvent, useState } from "react";
import { usePlaceHold } from "@/components/integrity/queries";
import { failureOf } from "@/components/states/failure";
import { FormFailure } from "@/components/states/form-failure";
import { Button } from "@/components/ui/button";
import { Dialog, DialogButtons } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import { GuardedButton } from "@/components/ui/guarded-button";
import { showToast } from "@/components/ui/toast";

/** The button that opens the form for a hold. `reason`: why the reader may not place one; null if he may. */
export function PlaceHold({ reason }: { reason: string | null }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <GuardedButton reason={reason} onClick={() => setIsOpen(true)}>
        Place hold…
      </GuardedButton>
      {/* Made anew each time, so that it shows neither an old text nor an old error. */}
      {isOpen && <HoldForm onClose={() => setIsOpen(false)} />}
    </>
  );
}

function HoldForm({ onClose }: { onClose: () => void }) {
  const place = usePlaceHold();
  const { message, fields } = failureOf(place.error, ["name", "reason", "filter"]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name) ?? "").trim();
    const filter = text("filter");
    place.mutate(
      { name: text("name"), reason: text("reason"), ...(filter !== "" && { filter }) },
      {
        onSuccess: ({ name }) => {
          showToast(`The hold “${name}” was placed.`);
          onClose();
        },
      },
    );
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Place a legal hold?"
      description="Until it is released, the entries it covers, also future ones, neither expire nor can they be redacted, and the organization cannot be deleted. Placing and releasing are recorded with your name."
    >
      <form onSubmit={submit} noValidate>
        <div className="grid gap-4">
          <Field label="Name" error={fields.name}>
            {(control) => <Input {...control} name="name" maxLength={100} placeholder="Case 4711" />}
          </Field>
          <Field label="Reason" hint="It stays in the log." error={fields.reason}>
            {(control) => <Input {...control} name="reason" maxLength={500} />}
          </Field>
          <Field
            label="Filter"
            optional
            hint="The query of the audit log's address with the filters, such as api_key_id=…&since=2026-11-01T00:00:00Z. Empty: the whole log."
            error={fields.filter}
          >
            {(control) => <Input {...control} mono name="filter" maxLength={2_000} />}
          </Field>
        </div>
        <FormFailure message={message} />
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" pending={place.isPending}>
            Place hold
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
