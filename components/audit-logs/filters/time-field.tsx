"use client";

import { useState } from "react";
import { formatUtc } from "@/components/time/time-format";
import { Field, Input } from "@/components/ui/field";

/** A time in the reader's zone; the hint shows it in UTC. */
export function TimeField({
  name,
  label,
  iso,
  error,
}: {
  name: string;
  label: string;
  iso: string | undefined;
  error?: string | undefined;
}) {
  const [value, setValue] = useState(() => toLocal(iso));
  const utc = toIso(value);
  return (
    <Field label={label} error={error} hint={utc === null ? "No limit" : formatUtc(Date.parse(utc))}>
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

/** The RFC 3339 time of a `datetime-local` control; null if it is empty. */
export function toIso(local: FormDataEntryValue | null): string | null {
  const time = new Date(typeof local === "string" ? local : "");
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

/** The local time without a zone, as a `datetime-local` control takes it. */
function toLocal(iso: string | undefined): string {
  const time = Date.parse(iso ?? "");
  if (Number.isNaN(time)) return "";
  return new Date(time - new Date(time).getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}
