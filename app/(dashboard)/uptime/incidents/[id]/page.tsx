import type { Metadata } from "next";
import Link from "next/link";
import { EmptySection } from "@/components/states/empty-section";
import { orNotFound } from "@/components/states/or-not-found";
import { readOnlyReason } from "@/components/states/read-only";
import { Time } from "@/components/time/time";
import { formatSpan } from "@/components/time/time-format";
import { Status } from "@/components/ui/badge";
import { Definition, DefinitionGroup } from "@/components/ui/definition-list";
import { PageHeader } from "@/components/ui/page-header";
import { ChecksTable } from "@/components/uptime/checks-table";
import { FailureEvidence } from "@/components/uptime/failure-evidence";
import { IncidentNote } from "@/components/uptime/incident-note";
import { reasonWords } from "@/components/uptime/words";
import { requirePrincipal } from "@/lib/auth/session";
import { plural } from "@/lib/text/counts";
import { getIncident } from "@/lib/uptime/incidents/get-incident";
import { END, readChecksOf } from "@/lib/uptime/incidents/incident-checks";
import { getMonitor } from "@/lib/uptime/monitors/get-monitor";

export const metadata: Metadata = { title: "Incident" };

export default async function IncidentPage({ params }: { params: Promise<{ id: string }> }) {
  const principal = await requirePrincipal();
  const { incident, type } = await orNotFound(params, async (id) => {
    const incident = await getIncident(principal, { id });
    return { incident, type: (await getMonitor(principal, { id: incident.monitor.id })).type };
  });
  const { checks, between } = await readChecksOf(principal, incident);
  const { monitor, started_at, ended_at, duration_seconds, note, evidence } = incident;
  return (
    <>
      <PageHeader
        back={{ href: "/uptime/incidents", label: "Incidents" }}
        title={`${monitor.name} ${ended_at === null ? "is" : "was"} down`}
      >
        {reasonWords(incident)}
      </PageHeader>
      <div className="grid gap-x-10 gap-y-6 px-4 pt-2 sm:px-5 lg:grid-cols-2">
        <DefinitionGroup>
          <Definition name="State">
            {ended_at === null ? <Status tone="bad">Ongoing</Status> : <Status tone="good">Resolved</Status>}
          </Definition>
          <Definition name="Monitor">
            <Link href={`/uptime/${monitor.id}`} className="text-seal underline underline-offset-2">
              {monitor.name}
            </Link>
          </Definition>
          <Definition name="Started">
            <Time value={started_at} style="full" />
          </Definition>
          <Definition name="Ended">{ended_at && <Time value={ended_at} style="full" />}</Definition>
          <Definition name="Duration">{formatSpan(duration_seconds * 1000)}</Definition>
        </DefinitionGroup>
        <IncidentNote id={incident.id} note={note} reason={readOnlyReason(principal.permission)} />
      </div>
      {evidence !== null && (
        <section className="pt-7">
          <h2 className="px-4 pb-2 font-medium text-lg sm:px-5">Failed response</h2>
          <FailureEvidence evidence={evidence} />
        </section>
      )}
      <section className="pt-7">
        <h2 className="px-4 pb-2 font-medium text-lg sm:px-5">Checks around the incident</h2>
        {checks.length > 0 ? (
          <>
            {between > 0 && (
              <p className="px-4 pb-2 text-second sm:px-5">
                {plural(between, "check")} between the first and the last {END} {between === 1 ? "is" : "are"} not
                shown.
              </p>
            )}
            <ChecksTable checks={checks} type={type} />
          </>
        ) : (
          <EmptySection>Checks are kept for 7 days. The checks of this incident have been deleted.</EmptySection>
        )}
      </section>
    </>
  );
}
