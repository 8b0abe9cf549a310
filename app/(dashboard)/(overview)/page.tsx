import type { Metadata } from "next";
import { AlertsPart } from "@/components/overview/alerts-part";
import { AnswerOverview } from "@/components/overview/answer-part";
import { CertificatesPart } from "@/components/overview/certificates-part";
import { DayPart } from "@/components/overview/day-part";
import { FirstRun } from "@/components/overview/first-run";
import { KeysPart } from "@/components/overview/keys-part";
import { type Lookback, lookbackOf } from "@/components/overview/lookback";
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

export default async function OverviewPage() {
  const principal = await requirePrincipal();
  const [{ hasRequest, hasEndpoint, hasMonitor, unusedKey }, visit] = await Promise.all([
    readOnboarding(principal),
    touchVisit(principal),
  ]);
  const isNew = !hasEndpoint || !hasRequest;
  const isMonitoring = hasEndpoint || hasMonitor;
  const { since, from } = lookbackOf(visit, Date.now());
  const parts = [
    isMonitoring && {
      what: "The summary",
      part: <AnswerOverview principal={principal} since={since} from={from} />,
    },
    isMonitoring && {
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
    isMonitoring && {
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
        <Part title={<SecurityTitle from={from} />} href="/security-events" all="All security events">
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
      <div className={`grid grid-cols-1 gap-y-8 ${isNew ? "pt-8" : "pt-1"}`}>
        <Sections parts={parts} />
      </div>
    </>
  );
}

function SecurityTitle({ from }: Pick<Lookback, "from">) {
  if ("days" in from) return `Security events in the last ${from.days} days`;
  return (
    <>
      Security events since your last visit, <Ago value={from.visit.toISOString()} />
    </>
  );
}
