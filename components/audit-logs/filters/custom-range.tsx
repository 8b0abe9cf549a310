"use client";

import { type FormEvent, useState } from "react";
import { formatUtc, zoneName } from "@/components/time/time-format";
import { Button } from "@/components/ui/button";
import { Dialog, DialogButtons } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import { useNow, useTimeZone } from "@/components/ui/reader";

/** Asks for a range of time in the reader's zone; either end may be left open. */
export function CustomRange({
  since,
  until,
  onClose,
  onChoose,
}: {
  /** RFC 3339. */
  since: string | undefined;
  until: string | undefined;
  onClose: () => void;
  onChoose: (range: { since: string | null; until: string | null }) => void;
}) {
  const zone = useTimeZone();
  const now = useNow();
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Custom range"
      description={`Times are in your time zone, ${zoneName(zone, now)}. You can leave either one empty.`}
    >
      <form
        className="grid gap-4"
        onSubmit={(event: FormEvent<HTMLFormElement>) => {
          event.preventDefault();
          const data = new FormData(event.currentTarget);
          onClose();
          onChoose({ since: toIso(data.get("since")), until: toIso(data.get("until")) });
        }}
      >
        <TimeField name="since" label="From" iso={since} />
        <TimeField name="until" label="Until" iso={until} />
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary">
            Apply range
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

/** A time in the reader's zone; the hint shows it in UTC. */
function TimeField({ name, label, iso }: { name: string; label: string; iso: string | undefined }) {
  const [value, setValue] = useState(() => toLocal(iso));
  const utc = toIso(value);
  return (
    <Field label={label} hint={utc === null ? "No limit" : formatUtc(Date.parse(utc))}>
      {(control) => (
        <Input
          {...control}
          name={name}
          type="datetime-local"
          step="1"
          value={value}
          onChange={(event) => setValue(event.target.value)}
        />
      )}
    </Field>
  );
}

function toIso(local: FormDataEntryValue | null): string | null {
  const time = new Date(typeof local === "string" ? local : "");
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

/** The local time without a zone, as a `datetime-local` control takes it. */
function toLocal(iso: string | undefined): string {
  const time = Date.parse(iso ?? "");
  if (Number.isNaN(time)) return "";
  return new Date(time - new Date(time).getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}
