"use client";

import { Field, focusEmpty, Input, Textarea } from "@/components/ui/field";
import type { MonitorFields } from "@/components/uptime/form/monitor-fields";

/** A part of the monitor's form: the values, their errors by the API's names, and how to change them. */
export interface FormPart {
  fields: MonitorFields;
  errors: Record<string, string>;
  set: (change: Partial<MonitorFields>) => void;
}

/** A text control bound to a field; with `lines` it has several. */
export function MonitorControl({
  part: { fields, errors, set },
  name,
  field,
  label,
  hint,
  placeholder,
  lines,
  mono = false,
  numeric = false,
  optional = false,
  secret = false,
}: {
  part: FormPart;
  name: keyof MonitorFields;
  /** The API's name. */
  field: string;
  label: string;
  hint?: string | undefined;
  placeholder?: string;
  lines?: number;
  mono?: boolean;
  numeric?: boolean;
  optional?: boolean;
  /** Not shown while it is typed. */
  secret?: boolean;
}) {
  const value = String(fields[name]);
  const shared = { mono, value, ...(placeholder !== undefined && { placeholder }) };
  return (
    <Field label={label} hint={hint} error={errors[field]} optional={optional}>
      {(control) =>
        lines === undefined ? (
          <Input
            {...control}
            {...shared}
            {...(secret && { type: "password", autoComplete: "new-password" })}
            {...(numeric && { inputMode: "numeric" as const })}
            {...(name === "name" && { ref: focusEmpty })}
            onChange={(event) => set({ [name]: event.target.value })}
          />
        ) : (
          <Textarea {...control} {...shared} rows={lines} onChange={(event) => set({ [name]: event.target.value })} />
        )
      }
    </Field>
  );
}
