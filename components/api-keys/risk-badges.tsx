import { riskWords } from "@/components/api-keys/risk-words";
import { Badge } from "@/components/ui/badge";
import { riskLabels } from "@/lib/api-keys/labels";
import type { Risk } from "@/lib/api-keys/risks";

/** What is risky about a key, most pressing first; each badge says it in a sentence to those who point at it. */
export function RiskBadges({ risks }: { risks: readonly Risk[] }) {
  return risks.map((risk) => (
    <span key={risk} title={`${riskWords[risk].says} ${riskWords[risk].advice}`} className="mr-1 last:mr-0">
      <Badge tone={riskWords[risk].tone}>{riskLabels[risk]}</Badge>
    </span>
  ));
}
