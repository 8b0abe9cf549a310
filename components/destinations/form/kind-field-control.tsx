"use client";

import type { KindField } from "@/components/destinations/form/kind-field";
import { Check, Field, Input, Select, Textarea } from "@/components/ui/field";

/** What the audit log keeps of secrets. */
const LOGGED = "The audit log keeps it as sent, visible to everyone who can read the log.";

/** One setting or secret of a kind. */
export function KindFieldControl({
  field,
  value,
  error,
  isSet,
  isRemoved,
  onChange,
  onRemove,
}: {
  field: KindField;
  value: string;
  error: string | undefined;
  /** Of a secret: whether one is saved. */
  isSet: boolean;
  isRemoved: boolean;
  onChange: (value: string) => void;
  onRemove: (isRemoved: boolean) => void;
}) {
  const { label, control, choices, placeholder, initial, isOptional, isNullable, part } = field;
  const isSecret = part === "secrets";
  const parts = [isSet ? "Already set. A new value replaces it." : field.hint, isSecret ? LOGGED : null];
  const hint = parts.filter((each) => each !== null).join(" ");
  if (control === "check") {
    return (
      <div className="grid gap-1">
        <Check checked={value !== ""} onChange={(on) => onChange(on ? "true" : "")}>
          {label}
        </Check>
        {(error ?? hint) && <p className={`text-sm ${error ? "text-bad" : "text-second"}`}>{error ?? hint}</p>}
      </div>
    );
  }
  return (
    <div className="grid gap-1">
      <Field label={label} hint={hint} error={error} optional={isOptional && (isNullable || initial === "")}>
        {(props) => {
          const common = {
            ...props,
            value,
            disabled: isRemoved,
            placeholder: isSet ? "••••••••" : (placeholder ?? undefined),
            onChange: (event: { target: { value: string } }) => onChange(event.target.value),
          };
          if (control === "choice") {
            return (
              <Select {...common}>
                {isNullable && <option value="">None</option>}
                {choices.map((choice) => (
                  <option key={choice.value} value={choice.value}>
                    {choice.label}
                  </option>
                ))}
              </Select>
            );
          }
          if (control === "lines") return <Textarea {...common} mono rows={3} />;
          return <Input {...common} mono inputMode={control === "number" ? "numeric" : undefined} />;
        }}
      </Field>
      {isSet && isNullable && (
        <Check checked={isRemoved} onChange={onRemove} className="text-second">
          Remove it
        </Check>
      )}
    </div>
  );
}
