"use client";

import { EndpointState } from "@/components/certificates/endpoints/endpoint-state";
import { Findings } from "@/components/certificates/findings/findings";
import { LifeBar } from "@/components/certificates/inventory/life-bar";
import { endpointName, shortName } from "@/components/certificates/inventory/names";
import { useFreshRouter } from "@/components/requests/use-fresh-router";
import { Time } from "@/components/time/time";
import { Button, LinkButton } from "@/components/ui/button";
import { Definition, DefinitionGroup } from "@/components/ui/definition-list";
import { DialogButtons } from "@/components/ui/dialog";
import { useNow } from "@/components/ui/reader";
import type { CertificateEndpointDetail } from "@/lib/certificates/contract";

/** The result of an endpoint's first check. */
export function ProbeResult({ endpoint, onMore }: { endpoint: CertificateEndpointDetail; onMore: () => void }) {
  const now = useNow();
  const router = useFreshRouter();
  const { certificate, findings } = endpoint;
  const page = `/certificates/endpoints/${endpoint.id}`;
  return (
    <div className="grid gap-3" role="status">
      <DefinitionGroup>
        <Definition name="Endpoint" mono>
          {endpointName(endpoint)}
        </Definition>
        <Definition name="State">
          <EndpointState endpoint={endpoint} />
        </Definition>
        {certificate && (
          <>
            <Definition name="Certificate">{shortName(certificate.subject) || certificate.sans[0]}</Definition>
            <Definition name="Issuer">{shortName(certificate.issuer)}</Definition>
            <Definition name="Expires">
              <span className="flex items-center gap-3">
                <Time value={certificate.not_after} />
                <span>
                  <LifeBar validity={certificate} now={now} />
                </span>
              </span>
            </Definition>
          </>
        )}
      </DefinitionGroup>
      {findings.length > 0 && <Findings findings={findings} />}
      <DialogButtons>
        <Button onClick={onMore}>Add another</Button>
        <LinkButton
          kind="primary"
          href={page}
          onNavigate={(event) => {
            event.preventDefault();
            router.push(page);
          }}
        >
          Open endpoint
        </LinkButton>
      </DialogButtons>
    </div>
  );
}
