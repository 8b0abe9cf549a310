import type { Metadata } from "next";
import { Notifications } from "@/components/alert-rules/notifications";
import { ResourceHistory } from "@/components/audit-logs/changes/resource-history";
import { type SearchParams, single } from "@/components/layout/search-params";
import { SiteLink } from "@/components/sites/site-link";
import { EmptySection } from "@/components/states/empty-section";
import { orNotFound } from "@/components/states/or-not-found";
import { readOnlyReason } from "@/components/states/read-only";
import { RowsSkeleton, Section } from "@/components/states/section";
import { inWholeDays, readRange } from "@/components/statistics/range";
import { Ago, Time } from "@/components/time/time";
import { formatSetting } from "@/components/time/time-format";
import { Badge, Status } from "@/components/ui/badge";
import { Definition, DefinitionGroup } from "@/components/ui/definition-list";
import { PageHeader } from "@/components/ui/page-header";
import { AuthenticationWords } from "@/components/uptime/authentication-words";
import { ChecksTable } from "@/components/uptime/checks-table";
import { Expectations } from "@/components/uptime/expectations";
import { FailureEvidence } from "@/components/uptime/failure-evidence";
import { IncidentLines } from "@/components/uptime/incident-lines";
import { MonitorActions } from "@/components/uptime/monitor-actions";
import { MonitorMeasures } from "@/components/uptime/monitor-measures";
import { ipVersionWords, msWords, reasonWords, statusTone } from "@/components/uptime/words";
import { requirePrincipal } from "@/lib/auth/session";
import { getTrustStore } from "@/lib/certificates/trust-stores/get-trust-store";
import type { Principal } from "@/lib/http/principal";
import { hostOfTarget } from "@/lib/sites/host-of-target";
import { plural } from "@/lib/text/counts";
import type { Monitor } from "@/lib/uptime/contract";
import type { Incident } from "@/lib/uptime/incidents/contract";
import { getIncident } from "@/lib/uptime/incidents/get-incident";
import { listIncidents } from "@/lib/uptime/incidents/list-incidents";
import { monitorStatusLabels } from "@/lib/uptime/labels";
import { getMonitor } from "@/lib/uptime/monitors/get-monitor";
import { listUptimeChecks } from "@/lib/uptime/monitors/list-checks";

export const metadata: Metadata = { title: "Monitor" };

export default async function MonitorPage({
  params,
  searchParams,
}: {
  params: Promise<{ id: string }>;
  searchParams: SearchParams;
}) {
  const principal = await requirePrincipal();
  const monitor = await orNotFound(params, (id) => getMonitor(principal, { id }));
  const { id, name } = monitor;
  const host = hostOfTarget(monitor);
  const isHeartbeat = monitor.type === "heartbeat";
  const now = Date.now();
  const range = inWholeDays(readRange(await single(searchParams), now, "24h"), now);
  const [{ items: incidents }, { items: checks }, trustStore] = await Promise.all([
    listIncidents(principal, { limit: 10, cursor: undefined, monitor_id: id, open: undefined }),
    listUptimeChecks(principal, { id, limit: 20, cursor: undefined, ok: undefined }),
    monitor.trust_store_id === null ? null : getTrustStore(principal, { id: monitor.trust_store_id }),
  ]);
  return (
    <>
      <PageHeader
        back={{ href: "/uptime", label: "Uptime" }}
        title={name}
        actions={<MonitorActions monitor={monitor} reason={readOnlyReason(principal.permission)} />}
      >
        <span className="font-mono text-sm">{isHeartbeat ? "heartbeat" : monitor.target}</span>
        {!monitor.verify_tls && (
          <span className="ml-3">
            <Badge tone="warn">Certificate not verified</Badge>
          </span>
        )}
        {host !== null && (
          <span className="ml-3">
            <SiteLink host={host} />
          </span>
        )}
      </PageHeader>
      <div className="grid grid-cols-1 gap-x-10 gap-y-6 px-4 pt-2 sm:px-5 lg:grid-cols-[20rem_minmax(0,1fr)]">
        <Facts
          monitor={monitor}
          since={openSince(incidents) ?? monitor.status_since}
          trustStore={trustStore?.name ?? null}
          now={now}
        />
        <Section
          key={range.preset ?? range.since}
          what="The measurements"
          fallback={<RowsSkeleton what="measurements" rows={8} />}
        >
          <MonitorMeasures principal={principal} monitor={monitor} range={range} />
        </Section>
      </div>
      <section className="pt-7">
        <h2 className="px-4 pb-2 font-medium text-lg sm:px-5">Incidents</h2>
        {incidents.length > 0 ? <IncidentLines incidents={incidents} /> : <EmptySection>No incidents.</EmptySection>}
      </section>
      <Section what="The failed response" fallback={null}>
        <LastFailure principal={principal} incident={incidents[0] ?? null} />
      </Section>
      <Section what="The notifications" fallback={<RowsSkeleton what="notifications" rows={3} />}>
        <Notifications principal={principal} type="monitor" id={id} />
      </Section>
      {checks.length > 0 && (
        <section className="pt-7">
          <h2 className="px-4 pb-2 font-medium text-lg sm:px-5">{isHeartbeat ? "Latest calls" : "Latest checks"}</h2>
          <ChecksTable checks={checks} type={monitor.type} />
        </section>
      )}
      <ResourceHistory principal={principal} type="monitor" id={id} />
    </>
  );
}

/** The response that opened the monitor's latest incident. */
async function LastFailure({ principal, incident }: { principal: Principal; incident: Incident | null }) {
  if (incident === null) return null;
  const { evidence } = await getIncident(principal, { id: incident.id });
  if (evidence === null) return null;
  return (
    <section className="pt-7">
      <h2 className="px-4 pb-2 font-medium text-lg sm:px-5">Last failed response</h2>
      <FailureEvidence evidence={evidence} />
    </section>
  );
}

/** When the open incident began, which is before the monitor counts as down; null without one. */
function openSince([latest]: readonly Incident[]): string | null {
  return latest?.ended_at === null ? latest.started_at : null;
}

interface FactsProps {
  monitor: Monitor;
  /** Since when its state is what it is. */
  since: string | null;
  trustStore: string | null;
  now: number;
}

function Facts({ monitor, since, trustStore, now }: FactsProps) {
  const { status, last_check, next_check_at, tags } = monitor;
  const isHttp = monitor.type === "http";
  const isHeartbeat = monitor.type === "heartbeat";
  return (
    <div className="min-w-0">
      <DefinitionGroup>
        <Definition name="State">
          <Status tone={statusTone[status]}>{monitorStatusLabels[status]}</Status>
          {since && (
            <span className="text-second">
              {" "}
              · since <Time value={since} />
            </span>
          )}
        </Definition>
        <Definition name={isHeartbeat ? "Last result" : "Last check"}>
          {last_check && (
            <>
              <Ago value={last_check.checked_at} />
              <span className={last_check.ok ? "text-second" : "text-bad"}>
                {" "}
                ·{" "}
                {last_check.reason
                  ? reasonWords({ reason: last_check.reason, detail: last_check.detail })
                  : isHeartbeat
                    ? `called from ${last_check.address}`
                    : msWords(last_check.total_ms)}
              </span>
            </>
          )}
        </Definition>
        <Definition name={isHeartbeat ? "Next call by" : "Next check"}>
          {next_check_at && <Ago value={next_check_at} />}
        </Definition>
      </DefinitionGroup>
      <DefinitionGroup title="Settings">
        {isHttp && (
          <Definition name="Expected" mono>
            {monitor.method} → {monitor.expected_status.join(", ")}
          </Definition>
        )}
        <Expectations monitor={monitor} />
        {monitor.header_names.length > 0 && (
          <Definition name="Headers" mono>
            {monitor.header_names.join(", ")}
          </Definition>
        )}
        <AuthenticationWords authentication={monitor.authentication} now={now} />
        {(isHttp || monitor.tcp?.tls) && (!monitor.verify_tls || trustStore !== null) && (
          <Definition name="Certificates">
            {monitor.verify_tls ? <>Public, and from {trustStore}</> : <span className="text-warn">Not verified</span>}
          </Definition>
        )}
        {isHeartbeat ? (
          <>
            <Definition name="Called every">{formatSetting(monitor.interval_seconds)}</Definition>
            <Definition name="Grace period">{formatSetting(monitor.grace_seconds)}</Definition>
          </>
        ) : (
          <>
            {monitor.ip_version !== "any" && (
              <Definition name="IP version">{ipVersionWords[monitor.ip_version]}</Definition>
            )}
            <Definition name="Interval">{formatSetting(monitor.interval_seconds)}</Definition>
            <Definition name="Timeout">{formatSetting(monitor.timeout_seconds)}</Definition>
            <Definition name="Down after">{plural(monitor.failure_threshold, "failure")} in a row</Definition>
            <Definition name="Up after">
              {plural(monitor.recovery_threshold, "success", "successes")} in a row
            </Definition>
          </>
        )}
        {tags.length > 0 && (
          <Definition name="Tags">
            <span className="inline-flex flex-wrap gap-1">
              {tags.map((tag) => (
                <Badge key={tag}>{tag}</Badge>
              ))}
            </span>
          </Definition>
        )}
      </DefinitionGroup>
    </div>
  );
}
