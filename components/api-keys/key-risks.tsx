import Link from "next/link";
import { oldSecretsHref } from "@/components/api-keys/old-secrets/words";
import { riskWords } from "@/components/api-keys/risk-words";
import { Time } from "@/components/time/time";
import { Badge } from "@/components/ui/badge";
import type { ApiKey } from "@/lib/api-keys/contract";
import { riskLabels } from "@/lib/api-keys/labels";

/** The risks of a key, each with advice. */
export function KeyRisks({ apiKey }: { apiKey: ApiKey }) {
  const { id, status, risks, rotated_at, rotation_due_at } = apiKey;
  return (
    <section className="min-w-0">
      <h2 className="mb-2 text-third text-xs">Risks</h2>
      {risks.length === 0 ? (
        <p className="text-second">
          {status === "active" ? (
            <>
              None. Rotate the secret by <Time value={rotation_due_at} style="day" />.
            </>
          ) : (
            "None: every request with this key is refused."
          )}
        </p>
      ) : (
        <ul className="border-t">
          {risks.map((risk) => (
            <li
              key={risk}
              className="grid grid-cols-1 gap-x-3 gap-y-0.5 border-b py-1.5 sm:grid-cols-[8.5rem_minmax(0,1fr)]"
            >
              <span>
                <Badge tone={riskWords[risk].tone}>{riskLabels[risk]}</Badge>
              </span>
              <p className="text-pretty">
                {riskWords[risk].says} <span className="text-second">{riskWords[risk].advice}</span>
              </p>
            </li>
          ))}
        </ul>
      )}
      {(rotated_at !== null || status === "revoked") && (
        <p className="pt-2">
          <Link prefetch={false} href={oldSecretsHref(id)} className="text-seal hover:underline">
            See who still uses old secrets
          </Link>
        </p>
      )}
    </section>
  );
}
