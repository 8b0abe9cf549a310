"use client";

import { type FormEvent, useState } from "react";
import { failureOf } from "@/components/states/failure";
import { FormEnd } from "@/components/states/form-end";
import { Dialog } from "@/components/ui/dialog";
import { Field, Textarea } from "@/components/ui/field";

/** Asks for the note of a resolution; null if it is empty. Stays open until the parent closes it, so that a failure loses no note. */
export function ResolveDialog({
  open,
  onOpenChange,
  title,
  pending,
  error,
  onResolve,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  pending: boolean;
  error: Error | null;
  onResolve: (note: string | null) => void;
}) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={title}
      description="Channels that were notified are notified of the resolution. A resolved alert opens again only if its cause returns or gets worse."
    >
      <ResolveForm pending={pending} error={error} onCancel={() => onOpenChange(false)} onResolve={onResolve} />
    </Dialog>
  );
}

function ResolveForm({
  pending,
  error,
  onResolve,
  onCancel,
}: {
  pending: boolean;
  error: Error | null;
  onResolve: (note: string | null) => void;
  onCancel: () => void;
}) {
  const [note, setNote] = useState("");
  function submit(event: FormEvent) {
    event.preventDefault();
    onResolve(note.trim() || null);
  }
  return (
    <form onSubmit={submit} className="grid gap-4" noValidate>
      <Field label="Note" optional hint="What happened and how it was resolved. The note is kept in the timeline.">
        {(control) => (
          <Textarea
            {...control}
            rows={3}
            maxLength={2000}
            value={note}
            onChange={(event) => setNote(event.target.value)}
          />
        )}
      </Field>
      <FormEnd
        error={error}
        message={failureOf(error).message}
        action="Resolve"
        pending={pending}
        onCancel={onCancel}
      />
    </form>
  );
}
