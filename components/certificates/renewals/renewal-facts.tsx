import { RenewalMethod } from "@/components/certificates/renewals/renewal-method";
import { Time } from "@/components/time/time";
import { Definition, DefinitionGroup } from "@/components/ui/definition-list";
import type { CertificateEndpoint } from "@/lib/certificates/contract";

/** Who renews an endpoint's certificate, how, and when. */
export function RenewalFacts({ endpoint }: { endpoint: CertificateEndpoint }) {
  const { owner, renewal_method, renewal_note, renewal_link, renewal_due_at } = endpoint;
  if (owner === null && renewal_method === null && renewal_note === null && renewal_due_at === null) return null;
  return (
    <DefinitionGroup title="Renewal">
      <Definition name="Owner">{owner}</Definition>
      <Definition name="Due">{renewal_due_at && <Time value={renewal_due_at} />}</Definition>
      {(renewal_method !== null || renewal_link !== null) && (
        <Definition name="Method">
          <RenewalMethod of={{ renewal_method, renewal_link, renewal_note: null }} />
        </Definition>
      )}
      {renewal_note !== null && (
        <Definition name="Note">
          <span className="whitespace-pre-line">{renewal_note}</span>
        </Definition>
      )}
    </DefinitionGroup>
  );
}
