import type { Metadata } from "next";
import { AlertsPart } from "@/components/overview/alerts-part";
import { CertificatesPart } from "@/components/overview/certificates-part";
import { DayPart } from "@/components/overview/day-part";
import { FirstRun } from "@/components/overview/first-run";
import { KeysPart } from "@/components/overview/keys-part";
import { Part } from "@/components/overview/part";
import { readBeginning } from "@/components/overview/read-beginning";
import { SecurityPart } from "@/components/overview/security-part";
import { readOnlyReason } from "@/components/states/read-only";
import { RowsSkeleton, Section } from "@/components/states/section";
import { PageHeader } from "@/components/ui/page-header";
import { Skeleton } from "@/components/ui/skeleton";
import { Ago } from "@/components/ui/time";
import { requirePrincipal } from "@/lib/auth/session";
import { config } from "@/lib/config";
import { noteVisit } from "@/lib/organizations/note-visit";

export const metadata: Metadata = { title: "Overview" };

const DAY_MS = 86_400_000;
/** What happened meanwhile is told for so long at most; the page of security events has the rest. */
const LONGEST_ABSENCE_MS = 30 * DAY_MS;
const FIRST_VISIT_MS = 7 * DAY_MS;

export default async function OverviewPage() {
  const principal = await requirePrincipal();
  const [{ hasRequest, hasEndpoint, unusedKey }, visit] = await Promise.all([
    readBeginning(principal),
    noteVisit(principal),
  ]);
  const isNew = !hasEndpoint || !hasRequest;
  const now = Date.now();
  const since = visit === null ? now - FIRST_VISIT_MS : Math.max(visit.getTime(), now - LONGEST_ABSENCE_MS);
  return (
    <>
      <PageHeader title="Overview">{isNew && "Three steps, and Sealwatch is at work."}</PageHeader>
      {isNew && (
        <FirstRun
          baseUrl={config().PUBLIC_URL}
          unusedKey={unusedKey}
          hasRequest={hasRequest}
          hasEndpoint={hasEndpoint}
          reason={readOnlyReason(principal.permission)}
        />
      )}
      <div className={`grid gap-y-8 ${isNew ? "pt-8" : "pt-1"}`}>
        {hasEndpoint && (
          <Part title="Open alerts" href="/alerts" all="All alerts">
            <Section what="The alerts" fallback={<RowsSkeleton what="alerts" rows={3} />}>
              <AlertsPart principal={principal} />
            </Section>
          </Part>
        )}
        {hasEndpoint && (
          <Part title="Certificates" href="/certificates" all="All certificates">
            <Section what="The certificates" fallback={<RowsSkeleton what="certificates" rows={3} />}>
              <CertificatesPart principal={principal} />
            </Section>
          </Part>
        )}
        <Part
          title={
            visit === null ? (
              "Security events of the last 7 days"
            ) : (
              <>
                Security events since you were here, <Ago value={visit.toISOString()} />
              </>
            )
          }
          href="/security-events"
          all="All security events"
        >
          <Section what="The security events" fallback={<RowsSkeleton what="security events" rows={3} />}>
            <SecurityPart principal={principal} since={since} />
          </Section>
        </Part>
        <Part title="API keys" href="/api-keys" all="All API keys">
          <Section what="The API keys" fallback={<RowsSkeleton what="API keys" rows={2} />}>
            <KeysPart principal={principal} />
          </Section>
        </Part>
        {hasRequest && (
          <Part title="Last 24 hours" href="/statistics?range=24h" all="Statistics">
            <Section what="The last day" fallback={<DaySkeleton />}>
              <DayPart principal={principal} />
            </Section>
          </Part>
        )}
      </div>
    </>
  );
}

function DaySkeleton() {
  return (
    <div aria-busy="true" className="h-[252px] px-4 sm:px-5">
      <p role="status" className="sr-only">
        Loading: the last day
      </p>
      <Skeleton className="mt-1 w-64" />
    </div>
  );
}
