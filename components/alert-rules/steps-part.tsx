import type { Wrong } from "@/components/alert-rules/issues";
import {
  isImmediate,
  needsSeverity,
  nextStep,
  type RuleFields,
  type StepFields,
  withoutStep,
} from "@/components/alert-rules/rule-fields";
import type { Choice } from "@/components/alert-rules/selector-part";
import { Button } from "@/components/ui/button";
import { Check, Field, Input, Select } from "@/components/ui/field";
import { severityLabels } from "@/lib/certificates/finding-labels";
import { severities } from "@/lib/certificates/findings";

const MAX_STEPS = 5;
/** Maximum number of channels that a step can name. */
const MAX_NAMED = 20;

interface Part {
  fields: RuleFields;
  set: (change: Partial<RuleFields>) => void;
  wrong: Wrong;
  channels: readonly Choice[];
}

/** When a rule alerts, with which severity, and which channels it notifies. A later step raises the same alert. */
export function StepsPart({ fields, set, wrong, channels }: Part) {
  const { steps } = fields;
  const change = (key: number, of: Partial<StepFields>) =>
    set({ steps: steps.map((each) => (each.key === key ? { ...each, ...of } : each)) });
  return (
    <>
      <ol className="grid gap-3">
        {steps.map((step, at) => (
          <li key={step.key} className="grid gap-3 rounded-md border p-3">
            <div className="flex items-center justify-between gap-2">
              <h3 className="font-medium">Step {at + 1}</h3>
              {steps.length > 1 && (
                <Button
                  kind="quiet"
                  aria-label={`Remove step ${at + 1}`}
                  onClick={() => set({ steps: withoutStep(fields.type, steps, step.key) })}
                >
                  Remove step
                </Button>
              )}
            </div>
            <StepControls
              step={step}
              type={fields.type}
              isFirst={at === 0}
              wrong={(path) => wrong(`steps.${at}.${path}`)}
              change={(of) => change(step.key, of)}
            />
            <Channels step={step} channels={channels} change={(of) => change(step.key, of)} />
            {wrong(`steps.${at}.channel_ids`) && (
              <p role="alert" className="text-bad text-sm">
                {wrong(`steps.${at}.channel_ids`)}
              </p>
            )}
          </li>
        ))}
      </ol>
      {steps.length < MAX_STEPS && (
        <div>
          <Button onClick={() => set({ steps: [...steps, nextStep(steps)] })}>Add step</Button>
        </div>
      )}
    </>
  );
}

function StepControls({
  step,
  type,
  isFirst,
  wrong,
  change,
}: {
  step: StepFields;
  type: RuleFields["type"];
  isFirst: boolean;
  wrong: Wrong;
  change: (of: Partial<StepFields>) => void;
}) {
  const text = (name: "afterMinutes" | "daysLeft" | "sharePercent", path: string, label: string) => (
    <Field label={label} error={wrong(path)}>
      {(control) => (
        <Input
          {...control}
          inputMode="decimal"
          value={step[name]}
          onChange={(event) => change({ [name]: event.target.value })}
        />
      )}
    </Field>
  );
  return (
    <div className="grid grid-cols-2 items-start gap-3 sm:grid-cols-3">
      {type === "time_left" ? (
        <>
          {text("daysLeft", "days_left", "Days left")}
          {text("sharePercent", "share_left", "or % of lifetime")}
        </>
      ) : (
        !(isFirst && isImmediate(type)) && text("afterMinutes", "after_minutes", "After (minutes)")
      )}
      <Field label="Severity" error={wrong("severity")}>
        {(control) => (
          <Select
            {...control}
            value={step.severity}
            onChange={(event) => change({ severity: event.target.value as StepFields["severity"] })}
          >
            {!needsSeverity(type) && <option value="">As detected</option>}
            {severities.map((each) => (
              <option key={each} value={each}>
                {severityLabels[each]}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </div>
  );
}

function Channels({
  step,
  channels,
  change,
}: {
  step: StepFields;
  channels: readonly Choice[];
  change: (of: Partial<StepFields>) => void;
}) {
  if (channels.length === 0) return <p className="text-second text-sm">Notifies all channels. There are none yet.</p>;
  const { channels: chosen } = step;
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 font-medium">Notify</legend>
      <div className="flex flex-wrap gap-x-4 gap-y-1">
        <Check
          checked={chosen.length === 0}
          onChange={(on) => change({ channels: on ? [] : channels.slice(0, MAX_NAMED).map(({ id }) => id) })}
        >
          All channels
        </Check>
        {channels.map(({ id, name }) => (
          <Check
            key={id}
            checked={chosen.includes(id)}
            onChange={(on) => change({ channels: on ? [...chosen, id] : chosen.filter((each) => each !== id) })}
            className="min-w-0"
          >
            <span className="truncate">{name}</span>
          </Check>
        ))}
      </div>
    </fieldset>
  );
}
