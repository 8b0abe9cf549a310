import { statusTone } from "@/components/certificates/findings/finding-tones";
import { Status } from "@/components/ui/badge";
import type { CertificateEndpoint } from "@/lib/certificates/contract";
import { endpointStatusLabels, findingLabels } from "@/lib/certificates/finding-labels";

/** An endpoint's state: its most severe finding, and the number of the others. */
export function EndpointState({ endpoint }: { endpoint: Pick<CertificateEndpoint, "status" | "findings"> }) {
  const { status, findings } = endpoint;
  const [worst] = findings;
  const words = worst ? findingLabels[worst.code] : endpointStatusLabels[status];
  return (
    <span title={findings.map(({ code }) => findingLabels[code]).join("\n") || undefined}>
      <Status tone={statusTone[status]}>{words}</Status>
      {findings.length > 1 && <span className="ml-1.5 text-second">+{findings.length - 1}</span>}
    </span>
  );
}
