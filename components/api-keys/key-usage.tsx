import Link from "next/link";
import { AddressesSeen, CountriesSeen } from "@/components/api-keys/key-origins";
import { NoteOfOldSecrets } from "@/components/api-keys/old-secrets/note-of-use";
import { RateLimitUsage } from "@/components/api-keys/rate-limit-usage";
import { type StackedBar, StackedBars } from "@/components/charts/stacked-bars";
import { EmptyState } from "@/components/states/empty-state";
import { Breakdown } from "@/components/statistics/breakdown";
import { entriesHref } from "@/components/statistics/range";
import { Time } from "@/components/time/time";
import { getApiKeyUsage } from "@/lib/api-keys/usage";
import type { ApiKeyUsage } from "@/lib/api-keys/usage-contract";
import { flagLabels } from "@/lib/audit-logs/flag-labels";
import type { Principal } from "@/lib/http/principal";
import { formatCount, plural } from "@/lib/text/counts";
import { DAY_MS } from "@/lib/time/units";

/** The usage of a key in the last days. Each figure links to the entries that it counts. */
export async function KeyUsage({ principal, id, days }: { principal: Principal; id: string; days: number }) {
  const usage = await getApiKeyUsage(principal, { id, days });
  const { requests, series, routes, refusals } = usage;
  if (requests === 0) {
    return (
      <EmptyState title={`No requests in ${plural(series.length, "day")}`}>
        Requests with this key appear here as soon as they are answered, including refused ones.
      </EmptyState>
    );
  }
  const entries = (filters: Record<string, string> = {}) => entriesHref(usage, { api_key_id: id, ...filters });
  const errors = routes.reduce((sum, route) => sum + route.errors, 0);
  return (
    <>
      <NoteOfOldSecrets usage={usage} />
      <p className="px-4 pb-2 text-second sm:px-5">
        <Link prefetch={false} href={entries()} className="font-medium text-ink hover:underline">
          {plural(requests, "request")}
        </Link>
        ,{" "}
        <Link prefetch={false} href={entries({ status: "4xx,5xx" })} className="hover:underline">
          {formatCount(errors)} refused or failed
        </Link>
        , since <Time value={usage.since} style="day" />
        {series.length < days && `: your plan keeps entries for ${plural(series.length, "whole day")}`}
      </p>
      <StackedBars bars={daysOf(usage)} filters={{ api_key_id: id }} />
      <div className="grid gap-x-10 gap-y-8 px-4 pt-8 sm:px-5 lg:grid-cols-2">
        <Breakdown
          title="Routes"
          of="Route"
          counts={routes.map((route) => ({ ...route, value: methodAndRoute(route), label: labelOf(route) }))}
          total={requests}
          hrefOf={(value) => routeEntries(value, entries)}
          errorsHrefOf={(value) => routeEntries(value, entries, { status: "4xx,5xx" })}
        />
        <div className="grid content-start gap-8">
          <Breakdown
            title="Refusals by reason"
            of="Reason"
            counts={refusals.map(({ flag, requests }) => ({ value: flag, label: flagLabels[flag], requests }))}
            mono={false}
            total={requests}
            hrefOf={(flag) => entries({ flag })}
          />
          <RateLimitUsage usage={usage} />
        </div>
      </div>
      <AddressesSeen usage={usage} />
      <CountriesSeen usage={usage} />
      <p className="px-4 pt-6 text-second text-sm sm:px-5">
        Counted from the audit log by UTC day, including today. First and last times are within this range; a first
        success may be older.
      </p>
    </>
  );
}

/** One bar per UTC day; the last one ends now. */
function daysOf({ series, until }: ApiKeyUsage): StackedBar[] {
  return series.map(({ start, ...counts }) => {
    const from = Date.parse(start);
    return { ...counts, from, to: Math.min(from + DAY_MS, Date.parse(until)) };
  });
}

type Route = ApiKeyUsage["routes"][number];

const methodAndRoute = ({ method, route }: Route) => `${method ?? ""} ${route ?? ""}`;

function labelOf({ method, route }: Route): string {
  return `${method} ${route?.replace(/^\/api\/v1/, "") ?? "unknown paths"}`;
}

/** Null for unknown paths, which have no route to filter by. */
function routeEntries(
  value: string,
  entries: (filters: Record<string, string>) => string,
  filters: Record<string, string> = {},
): string | null {
  const [method = "", route = ""] = value.split(" ");
  return route === "" ? null : entries({ method, route, ...filters });
}
