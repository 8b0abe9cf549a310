import { Checks } from "@/components/alert-rules/condition-part";
import type { Wrong } from "@/components/alert-rules/issues";
import type { RuleFields } from "@/components/alert-rules/rule-fields";
import { subjectCount, subjectsOf } from "@/components/alert-rules/words";
import { newestListed } from "@/components/layout/newest-only";
import { Field, Input } from "@/components/ui/field";

export interface Choice {
  id: string;
  name: string;
}

interface Choices {
  listed: readonly Choice[];
  /** Whether there are older ones. */
  isCut: boolean;
}

/** The subjects that a rule can be limited to, by type. */
export type Subjects = Record<"endpoints" | "monitors" | "API keys" | "destinations", Choices>;

function selectionHint(type: RuleFields["type"]): string {
  if (type === "security_event")
    return "If none is selected, the rule applies to all keys and to callers without a key.";
  if (type === "destination_lag") return "If none is selected, the rule applies to all destinations.";
  return "In addition to those with a matching tag.";
}

/** The scope of a rule: all subjects, those with a tag, or selected ones. */
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
  const { listed, isCut } = subjects[what];
  // Selected through the API, or older than the listed subjects.
  const others = fields.ids.filter((id) => !listed.some((each) => each.id === id)).map((id) => ({ id, name: id }));
  const choices = [...listed, ...others].map(({ id, name }) => ({ value: id, words: name, title: name }));
  return (
    <>
      {fields.type !== "security_event" && fields.type !== "destination_lag" && (
        <Field
          label="Tags"
          optional
          hint={`Matches any of these tags. Without tags or selected ${what}, the rule applies to all.`}
          error={wrong("selector.tags")}
        >
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
      {(choices.length > 0 || isCut) && (
        <details open={fields.ids.length > 0 || wrong("selector.ids") !== undefined || undefined}>
          <summary className="cursor-pointer text-second hover:text-ink">
            {fields.ids.length === 0
              ? `Select individual ${what}`
              : `${subjectCount(fields.type, fields.ids.length)} selected`}
          </summary>
          <div className="mt-2">
            <Checks
              legend={what.charAt(0).toUpperCase() + what.slice(1)}
              hint={selectionHint(fields.type) + (isCut ? ` ${newestListed(what)}` : "")}
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
