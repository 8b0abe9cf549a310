import { conditionsAbout, isSelected, type Selector } from "@/lib/alert-selectors/selector";
import type { Condition } from "@/lib/alerts/rules/conditions";
import type { coveredTypes } from "@/lib/alerts/rules/coverage-contract";
import { type FindingCode, type Severity, severities } from "@/lib/certificates/findings";

/** What a selector is compared with. */
export interface CoveredResource {
  type: (typeof coveredTypes)[number];
  /** Its id, and for an endpoint the id of the certificate that it serves. */
  ids: readonly string[];
  tags: readonly string[];
}

/** Whether a condition about findings matches this finding. */
export function isWanted(
  { codes, except_codes, severity }: Extract<Condition, { type: "finding" }>,
  code: FindingCode,
  its: Severity,
): boolean {
  const isNamed = (codes.length === 0 || codes.includes(code)) && !except_codes.includes(code);
  return isNamed && severities.indexOf(its) >= severities.indexOf(severity);
}

const includes = (types: readonly string[], type: string) => types.includes(type);

/** Whether problems of the resource can match a condition. */
function isAbout(condition: Condition, { type, ids }: CoveredResource): boolean {
  switch (type) {
    case "endpoint":
    case "monitor":
      return includes(conditionsAbout[type], condition.type);
    case "api_key":
      if (condition.type !== "event_count") return condition.type === "security_event";
      return ids.some((id) => condition.query.api_key_id?.split(",").includes(id));
    case "domain":
      if (condition.type !== "finding") return false;
      return (
        isWanted(condition, "issuer_unexpected", "warning") || isWanted(condition, "issuance_unauthorized", "critical")
      );
  }
}

/** Whether a rule covers a resource. */
export function covers(rule: { condition: Condition; selector: Selector }, resource: CoveredResource): boolean {
  return isAbout(rule.condition, resource) && isSelected(rule.selector, resource.ids, resource.tags);
}
