import Link from "next/link";
import type { Wrong } from "@/components/alert-rules/issues";
import { type ConditionType, type RuleFields, stepsFor } from "@/components/alert-rules/rule-fields";
import { conditionWords } from "@/components/alert-rules/words";
import { flagWords } from "@/components/audit-logs/entry/flag-words";
import type { FilterNames } from "@/components/audit-logs/filters/filter-box";
import { FilterField } from "@/components/audit-logs/filters/filter-field";
import { Field, Input, Select } from "@/components/ui/field";
import { flagLabels } from "@/lib/audit-logs/flag-labels";
import { securityFlags } from "@/lib/audit-logs/flags";
import { findingLabels, severityLabels } from "@/lib/certificates/finding-labels";
import { type FindingCode, findingCodes, type Severity, severities } from "@/lib/certificates/findings";

interface Part {
  fields: RuleFields;
  set: (change: Partial<RuleFields>) => void;
  wrong: Wrong;
}

/** The condition of a rule. `known`: what its filters name. */
export function ConditionPart({ fields, set, wrong, known }: Part & { known: FilterNames }) {
  return (
    <>
      <Field label="Alert when" error={wrong("condition.type")}>
        {(control) => (
          <Select
            {...control}
            value={fields.type}
            onChange={(event) => {
              const type = event.target.value as ConditionType;
              set({ type, ids: [], steps: stepsFor(type, fields.steps) });
            }}
          >
            {Object.entries(conditionWords).map(([type, words]) => (
              <option key={type} value={type}>
                {words}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {fields.type === "finding" && <FindingPart fields={fields} set={set} wrong={wrong} />}
      {fields.type === "latency" && (
        <div className="grid grid-cols-2 items-start gap-3">
          <NumberField
            label="Median above (ms)"
            error={wrong("condition.above_ms")}
            value={fields.aboveMs}
            onChange={(aboveMs) => set({ aboveMs })}
          />
          <NumberField
            label="Window (minutes)"
            error={wrong("condition.window_minutes")}
            value={fields.windowMinutes}
            onChange={(windowMinutes) => set({ windowMinutes })}
          />
        </div>
      )}
      {fields.type === "log_integrity" && (
        <p className="text-pretty text-second">
          The daily self-check found an entry that was changed, deleted or added, entries have waited 60 seconds to be
          sealed, the log is no longer signed, or a witness has not cosigned for a day.{" "}
          <Link prefetch={false} href="/integrity" className="text-seal hover:underline">
            View its current state
          </Link>
        </p>
      )}
      {fields.type === "destination_lag" && (
        <NumberField
          label="An entry waits to be sent for (minutes)"
          error={wrong("condition.minutes")}
          value={fields.lagMinutes}
          onChange={(lagMinutes) => set({ lagMinutes })}
        />
      )}
      {fields.type === "event_count" && <CountPart fields={fields} set={set} wrong={wrong} known={known} />}
      {fields.type === "security_event" && (
        <Checks
          legend="Any of these flags"
          error={wrong("condition.flags")}
          choices={securityFlags.map((flag) => ({ value: flag, words: flagLabels[flag], title: flagWords[flag] }))}
          chosen={fields.flags}
          onChange={(chosen) => set({ flags: chosen })}
        />
      )}
    </>
  );
}

function NumberField({
  label,
  error,
  value,
  onChange,
}: {
  label: string;
  error: string | undefined;
  value: string;
  onChange: (value: string) => void;
}) {
  return (
    <Field label={label} error={error}>
      {(control) => (
        <Input {...control} inputMode="numeric" value={value} onChange={(event) => onChange(event.target.value)} />
      )}
    </Field>
  );
}

function CountPart({ fields, set, wrong, known }: Part & { known: FilterNames }) {
  return (
    <>
      <FilterField
        known={known}
        filters={fields.logFilters}
        onChange={(logFilters) => set({ logFilters })}
        hint="Entries that match are counted."
        error={wrong("condition.query")}
      />
      <div className="grid grid-cols-2 items-start gap-3">
        <NumberField
          label="Entries, at least"
          error={wrong("condition.count")}
          value={fields.count}
          onChange={(count) => set({ count })}
        />
        <NumberField
          label="Window (minutes)"
          error={wrong("condition.window_minutes")}
          value={fields.countMinutes}
          onChange={(countMinutes) => set({ countMinutes })}
        />
      </div>
    </>
  );
}

function FindingPart({ fields, set, wrong }: Part) {
  return (
    <>
      <div className="grid grid-cols-2 items-start gap-3">
        <Field label="Minimum severity" error={wrong("condition.severity")}>
          {(control) => (
            <Select
              {...control}
              value={fields.severity}
              onChange={(event) => set({ severity: event.target.value as Severity })}
            >
              {severities.map((each) => (
                <option key={each} value={each}>
                  {severityLabels[each]}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label="Problems">
          {(control) => (
            <Select
              {...control}
              value={fields.which}
              onChange={(event) => set({ which: event.target.value as RuleFields["which"] })}
            >
              <option value="any">All problems</option>
              <option value="only">Only selected</option>
              <option value="except">All except selected</option>
            </Select>
          )}
        </Field>
      </div>
      {fields.which !== "any" && (
        <Checks
          legend={fields.which === "only" ? "Only these" : "All except these"}
          error={wrong("condition.codes") ?? wrong("condition.except_codes")}
          choices={findingCodes.map((code) => ({ value: code, words: findingLabels[code], title: code }))}
          chosen={fields.codes}
          onChange={(codes: FindingCode[]) => set({ codes })}
        />
      )}
    </>
  );
}

/** Checkboxes for any number of values of a closed list. */
export function Checks<Value extends string>({
  legend,
  hint,
  error,
  choices,
  chosen,
  onChange,
}: {
  legend: string;
  hint?: string;
  error?: string | undefined;
  choices: readonly { value: Value; words: string; title?: string }[];
  chosen: readonly Value[];
  onChange: (chosen: Value[]) => void;
}) {
  return (
    <fieldset className="grid min-w-0 gap-1">
      <legend className="mb-1 font-medium">{legend}</legend>
      <div className="grid max-h-48 gap-x-4 gap-y-1 overflow-y-auto rounded-sm border border-strong bg-panel p-2 sm:grid-cols-2">
        {choices.map(({ value, words, title }) => (
          <label key={value} className="flex min-w-0 items-center gap-2" title={title}>
            <input
              type="checkbox"
              className="size-4 shrink-0 accent-seal"
              checked={chosen.includes(value)}
              onChange={(event) =>
                onChange(event.target.checked ? [...chosen, value] : chosen.filter((each) => each !== value))
              }
            />
            <span className="truncate">{words}</span>
          </label>
        ))}
      </div>
      {error ? (
        <p role="alert" className="whitespace-pre-line text-bad text-sm">
          {error}
        </p>
      ) : (
        hint && <p className="text-second text-sm">{hint}</p>
      )}
    </fieldset>
  );
}
