import type { Metadata } from "next";
import { AlertsPart } from "@/components/overview/alerts-part";
import { AnswerOverview } from "@/components/overview/answer-part";
import { CertificatesPart } from "@/components/overview/certificates-part";
import { DayPart } from "@/components/overview/day-part";
import { FirstRun } from "@/components/overview/first-run";
import { KeysPart } from "@/components/overview/keys-part";
import { MonitorsPart } from "@/components/overview/monitors-part";
import { Part } from "@/components/overview/part";
import { readOnboarding } from "@/components/overview/read-onboarding";
import { SecurityPart } from "@/components/overview/security-part";
import { WeeksPart } from "@/components/overview/weeks-part";
import { readOnlyReason } from "@/components/states/read-only";
import { Sections } from "@/components/states/section";
import { Ago } from "@/components/time/time";
import { PageHeader } from "@/components/ui/page-header";
import { requirePrincipal } from "@/lib/auth/session";
import { config } from "@/lib/config";
import { touchVisit } from "@/lib/organizations/touch-visit";

export const metadata: Metadata = { title: "Overview" };

const DAY_MS = 86_400_000;
/** The overview shows at most this much history; the page of security events has the rest. */
const LONGEST_ABSENCE_MS = 30 * DAY_MS;
const FIRST_VISIT_MS = 7 * DAY_MS;

export default async function OverviewPage() {
  const principal = await requirePrincipal();
  const [{ hasRequest, hasEndpoint, unusedKey }, visit] = await Promise.all([
    readOnboarding(principal),
    touchVisit(principal),
  ]);
  const isNew = !hasEndpoint || !hasRequest;
  const now = Date.now();
  const since = visit === null ? now - FIRST_VISIT_MS : Math.max(visit.getTime(), now - LONGEST_ABSENCE_MS);
  const parts = [
    hasEndpoint && {
      what: "The summary",
      part: <AnswerOverview principal={principal} since={since} visit={visit} />,
    },
    hasEndpoint && {
      what: "The alerts",
      part: (
        <Part title="Open alerts" href="/alerts" all="All alerts">
          <AlertsPart principal={principal} />
        </Part>
      ),
    },
    hasEndpoint && {
      what: "The certificates",
      part: (
        <Part title="Certificates" href="/certificates" all="All certificates">
          <CertificatesPart principal={principal} />
        </Part>
      ),
    },
    hasEndpoint && {
      what: "The monitors",
      part: (
        <Part title="Uptime" href="/uptime" all="All monitors">
          <MonitorsPart principal={principal} />
        </Part>
      ),
    },
    {
      what: "The security events",
      part: (
        <Part title={<SecurityTitle visit={visit} />} href="/security-events" all="All security events">
          <SecurityPart principal={principal} since={since} />
        </Part>
      ),
    },
    {
      what: "The API keys",
      part: (
        <Part title="API keys" href="/api-keys" all="All API keys">
          <KeysPart principal={principal} />
        </Part>
      ),
    },
    hasRequest && {
      what: "The last 7 days",
      part: (
        <Part title="Last 7 days" href="/statistics?range=7d" all="Statistics">
          <WeeksPart principal={principal} />
        </Part>
      ),
    },
    hasRequest && {
      what: "The last 24 hours",
      part: (
        <Part title="Last 24 hours" href="/statistics?range=24h" all="Statistics">
          <DayPart principal={principal} />
        </Part>
      ),
    },
  ].filter((part) => part !== false);
  return (
    <>
      <PageHeader title="Overview">{isNew && "Complete three steps to set up Sealwatch."}</PageHeader>
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
        <Sections parts={parts} />
      </div>
    </>
  );
}

function SecurityTitle({ visit }: { visit: Date | null }) {
  if (visit === null) return "Security events in the last 7 days";
  return (
    <>
      Security events since your last visit, <Ago value={visit.toISOString()} />
    </>
  );
}
