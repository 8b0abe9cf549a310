import type { AlertState } from "@/lib/alerts/alert-state";
import { evaluate } from "@/lib/alerts/evaluation/evaluate";
import { factsOf, unjudgedSubjects } from "@/lib/alerts/evaluation/facts";
import type { Rule } from "@/lib/alerts/rules/alert-rule";
import type { Situation } from "@/lib/alerts/situation/situation";

/** Whether the evaluation of these rules would change no alert. `alertsOf` has the alerts that a rule's evaluation needs, by its id. */
export function changesNothing(
  rules: readonly Rule[],
  situation: Situation,
  alertsOf: ReadonlyMap<string, readonly AlertState[]>,
  isMassFailure: boolean,
): boolean {
  const circumstances = { now: situation.now, isMassFailure, newId: () => "" };
  return rules.every((rule) => {
    const facts = rule.enabled ? factsOf(rule, situation) : [];
    const unjudged = unjudgedSubjects(rule, situation);
    return evaluate(rule, facts, alertsOf.get(rule.id) ?? [], { ...circumstances, unjudged }).length === 0;
  });
}
