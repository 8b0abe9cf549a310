import Link from "next/link";
import type { ReactNode } from "react";
import { EXPLORER } from "@/components/audit-logs/views/view";
import { hrefWith } from "@/components/layout/href-with";
import { formatMs } from "@/components/time/time-format";
import type { AuditFigures } from "@/lib/audit-logs/count/stats";
import { counted, formatCount, plural } from "@/lib/text/counts";
import { percent } from "@/lib/text/percent";

/** The range in one line: entries, failures, security events and response time. Links filter the list accordingly. */
export function Figures({
  stats,
  params,
  children,
}: {
  stats: AuditFigures;
  params: Record<string, string>;
  children: ReactNode;
}) {
  const { totals, response_time_ms, retention_days } = stats;
  return (
    <p className="flex flex-wrap gap-x-5 gap-y-0.5 px-4 pb-2.5 text-second sm:px-5">
      <span>
        <Figure>{formatCount(totals.requests)}</Figure> {counted(totals.requests, "entry", "entries")}
      </span>
      <Narrowing name="status" value="4xx,5xx" params={params}>
        <Figure>{percent(totals.errors, totals.requests)}</Figure> refused or failed
      </Narrowing>
      <Narrowing name="security_event" value="true" params={params}>
        <Figure>{formatCount(totals.security_events)}</Figure> {counted(totals.security_events, "security event")}
      </Narrowing>
      {response_time_ms.p95 !== null && (
        <span>
          p95 <Figure>{formatMs(response_time_ms.p95)}</Figure>
        </span>
      )}
      {children}
      <span className="ml-auto max-sm:ml-0">Retention: {plural(retention_days, "day")}</span>
    </p>
  );
}

/** A link that adds a filter; only text if the list has that filter already, because the entries of both are not those that it would find. */
function Narrowing({
  name,
  value,
  params,
  children,
}: {
  name: string;
  value: string;
  params: Record<string, string>;
  children: ReactNode;
}) {
  if (params[name] !== undefined) return <span>{children}</span>;
  return (
    <Link
      prefetch={false}
      href={hrefWith(EXPLORER, params, { [name]: value, entry: null })}
      className="hover:underline"
    >
      {children}
    </Link>
  );
}

function Figure({ children }: { children: ReactNode }) {
  return <strong className="font-semibold text-ink tabular-nums">{children}</strong>;
}
