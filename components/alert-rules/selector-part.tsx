import { Checks } from "@/components/alert-rules/condition-part";
import type { Wrong } from "@/components/alert-rules/issues";
import type { RuleFields } from "@/components/alert-rules/rule-fields";
import { MAX_CHOICES, subjectsOf } from "@/components/alert-rules/words";
import { Field, Input } from "@/components/ui/field";

export interface Choice {
  id: string;
  name: string;
}

/** What a rule can be narrowed to, by what its condition is about. */
export interface Subjects {
  endpoints: readonly Choice[];
  monitors: readonly Choice[];
  "API keys": readonly Choice[];
}

/** What a rule is about: all, those with a tag, or those chosen. */
export function SelectorPart({
  fields,
  set,
  wrong,
  subjects,
}: {
  fields: RuleFields;
  set: (change: Partial<RuleFields>) => void;
  wrong: Wrong;
  subjects: Subjects;
}) {
  const what = subjectsOf[fields.type] as keyof Subjects;
  const listed = subjects[what];
  // Chosen through the API, or so long ago that the list does not reach them.
  const others = fields.ids.filter((id) => !listed.some((each) => each.id === id)).map((id) => ({ id, name: id }));
  const choices = [...listed, ...others].map(({ id, name }) => ({ value: id, words: name, title: name }));
  return (
    <>
      {fields.type !== "security_event" && (
        <Field label="Tags" optional hint="Any of these. Without tags and choices, all." error={wrong("selector.tags")}>
          {(control) => (
            <Input
              {...control}
              placeholder="production, web"
              value={fields.tags}
              onChange={(event) => set({ tags: event.target.value })}
            />
          )}
        </Field>
      )}
      {choices.length > 0 && (
        <details open={fields.ids.length > 0 || wrong("selector.ids") !== undefined || undefined}>
          <summary className="cursor-pointer text-second hover:text-ink">
            {fields.ids.length === 0 ? `Choose single ${what}` : `${fields.ids.length} ${what} chosen`}
          </summary>
          <div className="mt-2">
            <Checks
              legend={what.charAt(0).toUpperCase() + what.slice(1)}
              hint={
                (fields.type === "security_event"
                  ? "None chosen means all, and callers without a key."
                  : "Besides those with a tag.") +
                (listed.length < MAX_CHOICES ? "" : ` The newest ${MAX_CHOICES} are offered; the API takes any.`)
              }
              error={wrong("selector.ids")}
              choices={choices}
              chosen={fields.ids}
              onChange={(ids) => set({ ids })}
            />
          </div>
        </details>
      )}
    </>
  );
}
