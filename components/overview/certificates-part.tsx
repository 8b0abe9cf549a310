import { EndpointsTable } from "@/components/certificates/endpoints-table";
import { endpointName } from "@/components/certificates/names";
import { readEndpoints } from "@/components/certificates/read-endpoints";
import { Quiet } from "@/components/overview/part";
import { Ago } from "@/components/ui/time";
import type { Principal } from "@/lib/auth/principal";

const MOST = 8;
const troubles = new Set(["critical", "unreachable", "warning"]);

/** Endpoints in trouble, the gravest first, then those whose certificate ends soonest; or that all is well. */
export async function CertificatesPart({ principal }: { principal: Principal }) {
  const { endpoints } = await readEndpoints(principal);
  const troubled = endpoints.filter(({ status }) => troubles.has(status));
  if (troubled.length > 0) {
    return (
      <>
        <EndpointsTable endpoints={troubled.slice(0, MOST)} now={Date.now()} />
        {troubled.length > MOST && (
          <p className="px-4 pt-2 text-second sm:px-5">and {troubled.length - MOST} more in trouble</p>
        )}
      </>
    );
  }
  const [next] = endpoints
    .flatMap((endpoint) => (endpoint.certificate === null ? [] : { endpoint, at: endpoint.certificate.not_after }))
    .sort((a, b) => (a.at < b.at ? -1 : 1));
  return (
    <Quiet>
      All is well.{" "}
      {next && (
        <>
          The next to expire is <span className="font-mono text-sm">{endpointName(next.endpoint)}</span>,{" "}
          <Ago value={next.at} />.
        </>
      )}
    </Quiet>
  );
}
