"use client";

import { ChevronDown } from "lucide-react";
import { type FormEvent, useState } from "react";
import type { Act } from "@/components/alerts/queries";
import { Button } from "@/components/ui/button";
import { Dialog, DialogButtons } from "@/components/ui/dialog";
import { Field, Textarea } from "@/components/ui/field";
import { GuardedButton } from "@/components/ui/guarded-button";
import { Menu, MenuItem } from "@/components/ui/menu";
import type { Alert } from "@/lib/alerts/contract";

const HOUR_MS = 3_600_000;

const snoozes = [
  { words: "For 1 hour", ms: HOUR_MS },
  { words: "For 4 hours", ms: 4 * HOUR_MS },
  { words: "For 1 day", ms: 24 * HOUR_MS },
  { words: "For 3 days", ms: 72 * HOUR_MS },
  { words: "For 1 week", ms: 168 * HOUR_MS },
];

/** The actions on an unresolved alert. */
export function AlertActions({
  alert: { id, status, acknowledged_at },
  reason,
  pending,
  onAct,
}: {
  alert: Alert;
  /** Why the reader may not act; null if they may. */
  reason: string | null;
  pending: boolean;
  onAct: (act: Act) => void;
}) {
  const [isResolving, setIsResolving] = useState(false);
  if (status === "resolved") return null;
  const snooze = (ms: number) =>
    onAct({ act: "snoozeAlert", sent: { id, until: new Date(Date.now() + ms).toISOString() } });
  const trigger = (
    <Button pending={pending}>
      Snooze
      <ChevronDown size={13} aria-hidden="true" />
    </Button>
  );
  return (
    <>
      {reason === null ? (
        <Menu trigger={trigger}>
          {snoozes.map(({ words, ms }) => (
            <MenuItem key={ms} onSelect={() => snooze(ms)}>
              {words}
            </MenuItem>
          ))}
        </Menu>
      ) : (
        <GuardedButton reason={reason}>Snooze</GuardedButton>
      )}
      <GuardedButton reason={reason} pending={pending} onClick={() => setIsResolving(true)}>
        Resolve…
      </GuardedButton>
      {acknowledged_at === null && (
        <GuardedButton
          kind="primary"
          reason={reason}
          pending={pending}
          onClick={() => onAct({ act: "acknowledgeAlert", sent: { id } })}
        >
          Acknowledge
        </GuardedButton>
      )}
      <Dialog
        open={isResolving}
        onOpenChange={setIsResolving}
        title="Resolve this alert?"
        description="Channels that were notified of this alert are notified that it is resolved. It opens again only if its cause returns or gets worse."
      >
        <ResolveForm
          onCancel={() => setIsResolving(false)}
          onResolve={(note) => {
            setIsResolving(false);
            onAct({ act: "resolveAlert", sent: { id, note: note === "" ? null : note } });
          }}
        />
      </Dialog>
    </>
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
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" kind="primary">
          Resolve
        </Button>
      </DialogButtons>
    </form>
  );
}
