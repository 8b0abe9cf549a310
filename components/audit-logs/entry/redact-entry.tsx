"use client";

import { type FormEvent, useState } from "react";
import { redacting } from "@/components/audit-logs/entry/redacting";
import { useExplorerView } from "@/components/audit-logs/views/explorer-view";
import { useEndpoint } from "@/components/layout/use-endpoint";
import { failureOf } from "@/components/states/failure";
import { FormEnd } from "@/components/states/form-end";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input, Select } from "@/components/ui/field";
import { GuardedButton } from "@/components/ui/guarded-button";
import { showToast } from "@/components/ui/toast";
import type { AuditEvent, RedactablePart } from "@/lib/audit-logs/contract";
import { redactableParts } from "@/lib/audit-logs/redact/redactable";

const MAX_REASON = 500;

const labels: Record<RedactablePart, string> = {
  body: "Body of the request",
  caller: "Caller: who it was and from where",
};

/** Redacts a part of an entry, after a confirmation that says what stays; not while a hold, of that name, covers it. */
export function RedactEntry({ event, hold }: { event: AuditEvent; hold: string | null }) {
  const { readOnly } = useExplorerView();
  const [isOpen, setIsOpen] = useState(false);
  const [asked, setAsked] = useState<{ id: string; parts: RedactablePart[] }>({ id: event.id, parts: [] });
  const done = asked.id === event.id ? asked.parts : [];
  const parts = redactableParts(event).filter((part) => !done.includes(part));
  const onAsked = (part: RedactablePart) => {
    setIsOpen(false);
    redacting.add(event.id);
    setAsked({ id: event.id, parts: [...done, part] });
    showToast(`The ${part} is deleted in a few seconds.`);
  };
  return (
    <div className="mt-1.5 grid justify-items-start gap-1.5">
      {done.length > 0 && <p className="text-second">The {done.join(" and the ")} of this entry is being deleted.</p>}
      {parts.length > 0 && (
        <GuardedButton
          reason={readOnly ?? (hold === null ? null : `The entry is on hold: ${hold}`)}
          onClick={() => setIsOpen(true)}
        >
          Redact…
        </GuardedButton>
      )}
      {/* Created each time, so that it shows neither an old reason nor an old error. */}
      {isOpen && <RedactForm id={event.id} parts={parts} onAsked={onAsked} onClose={() => setIsOpen(false)} />}
    </div>
  );
}

function RedactForm({
  id,
  parts,
  onAsked,
  onClose,
}: {
  id: string;
  parts: RedactablePart[];
  onAsked: (part: RedactablePart) => void;
  onClose: () => void;
}) {
  const redact = useEndpoint(async () => (await import("@/lib/audit-logs/redact/contract")).redactAuditLog, false);
  const { message, fields } = failureOf(redact.error, ["part", "reason"]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const part = parts.find((each) => each === form.get("part"));
    if (part === undefined) return;
    redact.mutate({ id, part, reason: String(form.get("reason") ?? "") }, { onSuccess: () => onAsked(part) });
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Redact this entry?"
      description="What is stored of the part is deleted and cannot be restored. The sealed log still proves the rest, and an entry with your name and reason says that it was redacted. Files that were downloaded, streamed or sent before still have it, and so do backups."
    >
      <form onSubmit={submit} noValidate>
        <div className="grid gap-4">
          <Field label="Part" error={fields.part}>
            {(control) => (
              <Select {...control} name="part">
                {parts.map((part) => (
                  <option key={part} value={part}>
                    {labels[part]}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          <Field label="Reason" hint="It stays in the log, so do not repeat what is redacted." error={fields.reason}>
            {(control) => <Input {...control} name="reason" maxLength={MAX_REASON} />}
          </Field>
        </div>
        <FormEnd
          error={redact.error}
          message={message}
          action="Redact"
          kind="danger"
          pending={redact.isPending}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  );
}
