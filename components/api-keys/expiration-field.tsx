"use client";

import { type Expiration, lifetimes } from "@/components/api-keys/expiration";
import { Field, Input, Select } from "@/components/ui/field";

/** When a key expires: after a common duration, or at a custom time. An existing key can keep its expiration. */
export function ExpirationField({
  isNew,
  value,
  error,
  onChange,
}: {
  isNew: boolean;
  value: Expiration;
  error: string | undefined;
  onChange: (value: Expiration) => void;
}) {
  return (
    <Field label="Expires" error={error}>
      {(control) => (
        <div className="flex flex-wrap gap-2">
          <Select
            {...control}
            className="w-auto min-w-40 flex-1"
            value={value.choice}
            onChange={(event) => onChange({ ...value, choice: event.target.value })}
          >
            {!isNew && <option value="keep">Keep current expiration</option>}
            <option value="never">Never</option>
            {lifetimes.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
            <option value="at">Custom date…</option>
          </Select>
          {value.choice === "at" && (
            <Input
              type="datetime-local"
              aria-label="Expiration date and time, in your time zone"
              className="w-auto min-w-48 flex-1"
              value={value.at}
              onChange={(event) => onChange({ ...value, at: event.target.value })}
            />
          )}
        </div>
      )}
    </Field>
  );
}
