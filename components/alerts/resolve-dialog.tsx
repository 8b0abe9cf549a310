"use client";

import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { CancelButton, Dialog, DialogButtons } from "@/components/ui/dialog";
import { Field, Textarea } from "@/components/ui/field";

/** Asks for the note of a resolution; null if it is empty. */
export function ResolveDialog({
  open,
  onOpenChange,
  title,
  onResolve,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  onResolve: (note: string | null) => void;
}) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={title}
      description="Channels that were notified are notified of the resolution. A resolved alert opens again only if its cause returns or gets worse."
    >
      <ResolveForm
        onCancel={() => onOpenChange(false)}
        onResolve={(note) => {
          onOpenChange(false);
          onResolve(note === "" ? null : note);
        }}
      />
    </Dialog>
  );
}

function ResolveForm({ onResolve, onCancel }: { onResolve: (note: string) => void; onCancel: () => void }) {
  const [note, setNote] = useState("");
  function submit(event: FormEvent) {
    event.preventDefault();
    onResolve(note.trim());
  }
  return (
    <form onSubmit={submit} noValidate>
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
      <DialogButtons>
        <CancelButton onClick={onCancel} />
        <Button type="submit" kind="primary">
          Resolve
        </Button>
      </DialogButtons>
    </form>
  );
}
