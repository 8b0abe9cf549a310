import { methodOf, RENEWAL, type RenewalFields } from "@/components/certificates/renewals/renewal-form-fields";
import { Field, Input, Select, Textarea } from "@/components/ui/field";
import { renewalMethodLabels, renewalMethods } from "@/lib/certificates/renewal-fields";

/** Who renews an endpoint's certificate, and how; collapsed until opened or until a field has an error. */
export function RenewalPart({
  fields,
  errors,
  onChange,
}: {
  fields: RenewalFields;
  errors: Record<string, string>;
  onChange: (fields: RenewalFields) => void;
}) {
  const isWrong = RENEWAL.some((name) => name in errors);
  const set = (change: Partial<RenewalFields>) => onChange({ ...fields, ...change });
  return (
    <details open={isWrong || undefined}>
      <summary className="w-max cursor-pointer rounded-xs text-second hover:text-ink">
        Renewal: owner, method, note, link
      </summary>
      <div className="mt-3 grid gap-4">
        <div className="grid grid-cols-2 items-start gap-3">
          <Field label="Owner" optional error={errors.owner}>
            {(control) => (
              <Input
                {...control}
                placeholder="Platform team"
                value={fields.owner}
                onChange={(event) => set({ owner: event.target.value })}
              />
            )}
          </Field>
          <Field label="Method" error={errors.renewal_method}>
            {(control) => (
              <Select
                {...control}
                value={fields.method}
                onChange={(event) => set({ method: methodOf(event.target.value) })}
              >
                <option value="">Not stated</option>
                {renewalMethods.map((method) => (
                  <option key={method} value={method}>
                    {renewalMethodLabels[method]}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        </div>
        <Field label="Link" optional hint="Where it is renewed, or how." error={errors.renewal_link}>
          {(control) => (
            <Input
              {...control}
              mono
              inputMode="url"
              placeholder="https://"
              value={fields.url}
              onChange={(event) => set({ url: event.target.value })}
            />
          )}
        </Field>
        <Field label="Note" optional error={errors.renewal_note}>
          {(control) => (
            <Textarea {...control} value={fields.note} onChange={(event) => set({ note: event.target.value })} />
          )}
        </Field>
      </div>
    </details>
  );
}
