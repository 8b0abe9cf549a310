import { EndpointsTable } from "@/components/certificates/endpoints/endpoints-table";
import { endpointName } from "@/components/certificates/inventory/names";
import { EmptySection } from "@/components/states/empty-section";
import { Ago } from "@/components/time/time";
import type { EndpointStatus } from "@/lib/certificates/endpoint-statuses";
import { listCertificateEndpoints } from "@/lib/certificates/endpoints/list-endpoints";
import { summarizeEndpoints } from "@/lib/certificates/endpoints/summarize-endpoints";
import type { Principal } from "@/lib/http/principal";
import { formatCount } from "@/lib/text/counts";

const MAX_ROWS = 8;
const troubles: readonly EndpointStatus[] = ["critical", "unreachable", "warning"];

/** Endpoints that need attention, most urgent first, or else the next certificate to expire. */
export async function CertificatesPart({ principal }: { principal: Principal }) {
  const first = (limit: number, status?: EndpointStatus) =>
    listCertificateEndpoints(principal, { limit, status, sort: "urgency", cursor: undefined });
  const [{ items }, { byStatus }] = await Promise.all([first(MAX_ROWS), summarizeEndpoints(principal)]);
  const troubled = items.filter(({ status }) => troubles.includes(status));
  const more = troubles.reduce((sum, status) => sum + (byStatus.get(status) ?? 0), 0) - troubled.length;
  if (troubled.length > 0) {
    return (
      <>
        <EndpointsTable endpoints={troubled} now={Date.now()} />
        {more > 0 && <p className="px-4 pt-2 text-second sm:px-5">and {formatCount(more)} more that need attention</p>}
      </>
    );
  }
  const soonest = await Promise.all([first(1, "info"), first(1, "ok")]);
  const [next] = soonest
    .flatMap(({ items }) => items)
    .flatMap((endpoint) => (endpoint.certificate === null ? [] : { endpoint, at: endpoint.certificate.not_after }))
    .sort((a, b) => (a.at < b.at ? -1 : 1));
  return (
    <EmptySection>
      No endpoint needs attention.{" "}
      {next && (
        <>
          The next to expire is <span className="font-mono text-sm">{endpointName(next.endpoint)}</span>,{" "}
          <Ago value={next.at} />.
        </>
      )}
    </EmptySection>
  );
}
