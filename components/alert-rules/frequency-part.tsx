import { useId, useState } from "react";
import type { Wrong } from "@/components/alert-rules/issues";
import type { RuleFields } from "@/components/alert-rules/rule-fields";
import { minuteChoices } from "@/components/alert-rules/words";
import { Check, Field, Input, Select } from "@/components/ui/field";
import type { QuietHours } from "@/lib/alerts/rules/conditions";
import { weekdays } from "@/lib/alerts/rules/weekdays";

const repeats = [15, 60, 240, 720, 1440, 10_080];
const holds = [0, 5, 15, 30, 60, 240];
const dayWords = { mon: "Mon", tue: "Tue", wed: "Wed", thu: "Thu", fri: "Fri", sat: "Sat", sun: "Sun" };

interface Part {
  fields: RuleFields;
  set: (change: Partial<RuleFields>) => void;
  wrong: Wrong;
}

/** `every 6 hours`, but `every day`. */
function everyWords(words: string): string {
  return `Every ${words.replace(/^1 /, "")}`;
}

/** How often a rule repeats notifications, when it resolves alerts, and its quiet hours. */
export function FrequencyPart({ fields, set, wrong }: Part) {
  return (
    <>
      <div className="grid grid-cols-2 items-start gap-3">
        <Field label="Repeat" error={wrong("repeat_minutes")}>
          {(control) => (
            <Select
              {...control}
              value={fields.repeatMinutes ?? ""}
              onChange={(event) =>
                set({ repeatMinutes: event.target.value === "" ? null : Number(event.target.value) })
              }
            >
              <option value="">Never</option>
              {minuteChoices(repeats, fields.repeatMinutes).map(({ minutes, words }) => (
                <option key={minutes} value={minutes}>
                  {everyWords(words)}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label="Resolve after" error={wrong("resolve_after_minutes")}>
          {(control) => (
            <Select
              {...control}
              value={fields.resolveAfterMinutes}
              onChange={(event) => set({ resolveAfterMinutes: Number(event.target.value) })}
            >
              {minuteChoices(holds, fields.resolveAfterMinutes).map(({ minutes, words }) => (
                <option key={minutes} value={minutes}>
                  {minutes === 0 ? "0 minutes" : words}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
      <Check checked={fields.sendResolved} onChange={(sendResolved) => set({ sendResolved })}>
        Notify when resolved
      </Check>
      <Check checked={fields.isQuiet} onChange={(isQuiet) => set({ isQuiet })}>
        Quiet hours
      </Check>
      {fields.isQuiet && (
        <QuietPart
          quiet={fields.quiet}
          set={(change) => set({ quiet: { ...fields.quiet, ...change } })}
          wrong={wrong}
        />
      )}
    </>
  );
}

function QuietPart({
  quiet,
  set,
  wrong,
}: {
  quiet: QuietHours;
  set: (change: Partial<QuietHours>) => void;
  wrong: Wrong;
}) {
  const id = useId();
  // Read on focus: the server may know other time zones than the browser.
  const [zones, setZones] = useState<string[]>([]);
  return (
    <div className="grid gap-3 rounded-md border p-3">
      <div className="grid grid-cols-2 items-start gap-3 sm:grid-cols-[7rem_7rem_minmax(0,1fr)]">
        <Field label="From" error={wrong("quiet_hours.start")}>
          {(control) => (
            <Input
              {...control}
              type="time"
              value={quiet.start}
              onChange={(event) => set({ start: event.target.value })}
            />
          )}
        </Field>
        <Field label="To" error={wrong("quiet_hours.end")}>
          {(control) => (
            <Input {...control} type="time" value={quiet.end} onChange={(event) => set({ end: event.target.value })} />
          )}
        </Field>
        <Field label="Time zone" error={wrong("quiet_hours.time_zone")}>
          {(control) => (
            <>
              <Input
                {...control}
                list={id}
                onFocus={() => setZones(Intl.supportedValuesOf("timeZone"))}
                value={quiet.time_zone}
                onChange={(event) => set({ time_zone: event.target.value })}
              />
              <datalist id={id}>
                {zones.map((zone) => (
                  <option key={zone} value={zone} />
                ))}
              </datalist>
            </>
          )}
        </Field>
      </div>
      <fieldset>
        <legend className="mb-1 font-medium">Start on</legend>
        <div className="flex flex-wrap gap-x-4 gap-y-1">
          {weekdays.map((day) => (
            <Check
              key={day}
              checked={quiet.days.includes(day)}
              onChange={(on) =>
                set({ days: weekdays.filter((each) => (each === day ? on : quiet.days.includes(each))) })
              }
            >
              {dayWords[day]}
            </Check>
          ))}
        </div>
        {wrong("quiet_hours.days") && (
          <p role="alert" className="text-bad text-sm">
            {wrong("quiet_hours.days")}
          </p>
        )}
      </fieldset>
      <Check checked={quiet.except_critical} onChange={(except_critical) => set({ except_critical })}>
        Send critical alerts anyway
      </Check>
      <p className="text-second text-sm">
        Other notifications are held back. Alerts that are still unresolved are sent when quiet hours end.
      </p>
    </div>
  );
}
