import { fieldsOf, type RuleFields, sentOf } from "@/components/alert-rules/rule-fields";
import type { AlertRule } from "@/lib/alerts/rules/contract";

/** A rule in the editor: its controls, and what they would have sent when they last showed what is stored. */
export interface EditedRule {
  fields: RuleFields;
  saved: ReturnType<typeof sentOf>;
}

/** The editor of a rule with these fields, of which nothing was changed yet. */
export function editedOf(fields: RuleFields): EditedRule {
  return { fields, saved: sentOf(fields) };
}

/** The editor after `sent` was saved as `rule`: it shows the rule unless something was typed meanwhile. */
export function afterSaving(now: EditedRule, sent: RuleFields, rule: AlertRule, zone: string): EditedRule {
  return now.fields === sent ? editedOf(fieldsOf(rule, zone)) : { fields: now.fields, saved: sentOf(sent) };
}

/** The editor after the page was read again: it shows what somebody else changed unless something here is not saved. */
export function afterReading(now: EditedRule, rule: AlertRule, zone: string): EditedRule {
  const read = editedOf(fieldsOf(rule, zone));
  return isSame(sentOf(now.fields), now.saved) && !isSame(read.saved, now.saved) ? read : now;
}

const isSame = (one: EditedRule["saved"], other: EditedRule["saved"]) => JSON.stringify(one) === JSON.stringify(other);
