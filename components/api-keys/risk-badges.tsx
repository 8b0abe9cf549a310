import { riskWords } from "@/components/api-keys/risk-words";
import { Badge } from "@/components/ui/badge";
import { riskLabels } from "@/lib/api-keys/labels";
import type { Risk } from "@/lib/api-keys/risks";

/** The risks of a key, the most severe first; the tooltip of each badge explains it. */
export function RiskBadges({ risks }: { risks: readonly Risk[] }) {
  return risks.map((risk) => (
    <span key={risk} title={`${riskWords[risk].says} ${riskWords[risk].advice}`} className="mr-1 last:mr-0">
      <Badge tone={riskWords[risk].tone}>{riskLabels[risk]}</Badge>
    </span>
  ));
}
