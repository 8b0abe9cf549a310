"use client";

import { type FormEvent, useState } from "react";
import { failureOf } from "@/components/states/failure";
import { FormFailure } from "@/components/states/form-failure";
import { Field, Textarea } from "@/components/ui/field";
import { GuardedButton } from "@/components/ui/guarded-button";
import { showToast } from "@/components/ui/toast";
import { useUpdateIncident } from "@/components/uptime/queries";

/** The note of an incident, editable by admins. */
export function IncidentNote({ id, note, reason }: { id: string; note: string | null; reason: string | null }) {
  const [text, setText] = useState(note ?? "");
  const update = useUpdateIncident();
  const failure = failureOf(update.error, ["note"]);
  function submit(event: FormEvent) {
    event.preventDefault();
    if (reason === null) update.mutate({ id, note: text }, { onSuccess: () => showToast("The note was saved.") });
  }
  return (
    <form onSubmit={submit} className="grid content-start gap-2" noValidate>
      <Field label="Note" hint="The cause, and how it was resolved." error={failure.fields.note}>
        {(control) => (
          <Textarea
            {...control}
            rows={4}
            readOnly={reason !== null}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      <FormFailure error={update.error} message={failure.message} />
      <div>
        <GuardedButton type="submit" reason={reason} pending={update.isPending}>
          Save note
        </GuardedButton>
      </div>
    </form>
  );
}
