"use client";

import { type FormEvent, useState } from "react";
import { useEndpoint } from "@/components/layout/use-endpoint";
import { failureOf } from "@/components/states/failure";
import { FormEnd } from "@/components/states/form-end";
import { Dialog } from "@/components/ui/dialog";
import { Field, Textarea } from "@/components/ui/field";
import type { ApiKey } from "@/lib/api-keys/contract";

const useHandle = () =>
  useEndpoint(async () => (await import("@/lib/api-keys/old-secrets/contract")).handleOldSecretUse);

/** Asks for a note, and marks the attempts that the reader has seen as handled. */
export function HandleDialog({ apiKey, until, onClose }: { apiKey: ApiKey; until: string; onClose: () => void }) {
  const [note, setNote] = useState("");
  const handle = useHandle();
  const failure = failureOf(handle.error, ["note"]);
  function submit(event: FormEvent) {
    event.preventDefault();
    handle.mutate({ id: apiKey.id, until, note: note.trim() === "" ? null : note.trim() }, { onSuccess: onClose });
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Mark as handled?"
      description="Everybody in the organization sees who handled the attempts, and the note. If an unrecognized address that is not on this page tries an old secret, they are open again."
    >
      <form onSubmit={submit} noValidate>
        <Field label="Note" optional hint="What was done, such as the report’s number." error={failure.fields.note}>
          {(control) => (
            <Textarea
              {...control}
              rows={3}
              maxLength={1000}
              value={note}
              onChange={(event) => setNote(event.target.value)}
            />
          )}
        </Field>
        <FormEnd
          error={handle.error}
          message={failure.message}
          action="Mark as handled"
          pending={handle.isPending}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  );
}
