import type { Metadata } from "next";
import { Figures } from "@/components/audit-logs/figures";
import { Histogram } from "@/components/audit-logs/histogram";
import { EndpointsTable } from "@/components/certificates/endpoints-table";
import { endpointName } from "@/components/certificates/names";
import { FirstRun } from "@/components/overview/first-run";
import { readOverview } from "@/components/overview/read-overview";
import { KeyLines, Part, Quiet, SecurityLines } from "@/components/overview/sections";
import { readOnlyReason } from "@/components/states/read-only";
import { PageHeader } from "@/components/ui/page-header";
import { Ago } from "@/components/ui/time";
import { plural } from "@/components/ui/time-format";
import { requirePrincipal } from "@/lib/auth/session";
import type { CertificateEndpoint } from "@/lib/certificates/contract";
import { config } from "@/lib/config";

export const metadata: Metadata = { title: "Overview" };

const MOST_ENDPOINTS = 10;
const troubles = new Set(["critical", "unreachable", "warning"]);

export default async function OverviewPage() {
  const principal = await requirePrincipal();
  const { now, endpoints, stats, activeKeys, notices, security, hasRequest } = await readOverview(principal);
  const isNew = endpoints.length === 0 || !hasRequest;
  const unused = activeKeys.find(({ last_used_at }) => last_used_at === null) ?? null;
  return (
    <>
      <PageHeader title="Overview">{isNew && "Three steps, and Sealwatch is at work."}</PageHeader>
      {isNew && (
        <FirstRun
          baseUrl={config().PUBLIC_URL}
          unusedKey={unused && { id: unused.id, name: unused.name }}
          hasRequest={hasRequest}
          hasEndpoint={endpoints.length > 0}
          reason={readOnlyReason(principal.permission)}
        />
      )}
      <div className={`grid gap-y-8 ${isNew ? "pt-8" : "pt-2"}`}>
        {endpoints.length > 0 && <Certificates endpoints={endpoints} now={now} />}
        {hasRequest && (
          <Part title="Last 24 hours" href="/audit-logs" all="Audit log">
            <Histogram stats={stats} path="/audit-logs" params={{}} />
            <Figures stats={stats} path="/audit-logs" params={{}} />
          </Part>
        )}
        <div className="grid gap-y-8 lg:grid-cols-2 lg:divide-x">
          <Part title="Security events" href="/security-events?range=7d" all="All of the last 7 days">
            {security.length > 0 ? <SecurityLines lines={security} /> : <Quiet>None in the last 7 days.</Quiet>}
          </Part>
          <Part title="API keys" href="/api-keys" all={plural(activeKeys.length, "active key")}>
            {notices.length > 0 ? (
              <KeyLines notices={notices} />
            ) : (
              <Quiet>
                {activeKeys.length > 0
                  ? "None expires soon, none is overdue for rotation, none lies idle."
                  : "There is no active key."}
              </Quiet>
            )}
          </Part>
        </div>
      </div>
    </>
  );
}

function Certificates({ endpoints, now }: { endpoints: CertificateEndpoint[]; now: number }) {
  const troubled = endpoints.filter(({ status }) => troubles.has(status));
  const [next] = endpoints
    .filter(({ certificate }) => certificate !== null)
    .sort((a, b) => ((a.certificate?.not_after ?? "") < (b.certificate?.not_after ?? "") ? -1 : 1));
  return (
    <Part
      title={troubled.length > 0 ? "Certificates that need attention" : "Certificates"}
      href="/certificates"
      all={`All ${plural(endpoints.length, "endpoint")}`}
    >
      {troubled.length > 0 ? (
        <EndpointsTable endpoints={troubled.slice(0, MOST_ENDPOINTS)} now={now} />
      ) : (
        <Quiet>
          All is well.{" "}
          {next?.certificate && (
            <>
              The next to expire is <span className="font-mono text-sm">{endpointName(next)}</span>,{" "}
              <Ago value={next.certificate.not_after} />.
            </>
          )}
        </Quiet>
      )}
      {troubled.length > MOST_ENDPOINTS && (
        <p className="px-4 pt-2 text-second sm:px-5">and {troubled.length - MOST_ENDPOINTS} more</p>
      )}
    </Part>
  );
}
