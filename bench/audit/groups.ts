import { keyId, LARGEST } from "@/bench/audit/events";
import { busyClock } from "@/bench/busy";
import { ms, percentile, row, time } from "@/bench/measure";
import { filters } from "@/lib/audit-logs/filters";
import type { GroupDimension } from "@/lib/audit-logs/group/dimensions";
import { getAuditFacets } from "@/lib/audit-logs/group/facets";
import { groupAuditLogs } from "@/lib/audit-logs/group/group-events";
import { auditPool } from "@/lib/db/audit";
import { systemPrincipal } from "@/lib/http/principal";

const ROUNDS = 3;
const RANGES_DAYS = [1, 30];

/** Filters that match most, some and few events. */
const chosen: Record<string, string>[] = [
  {},
  { method: "GET" },
  { auth_type: "!session" },
  { status: "4xx,5xx" },
  { api_key_id: keyId(0, 0) },
  { ip: "203.0.8.0/22" },
  { flag: "rotated_secret" },
];
const groupings: GroupDimension[][] = [["api_key_id"], ["ip"], ["route", "status"], ["user_agent", "network"]];

/**
 * Measures facets and groups of several ranges and filters. With `busy`, the rollups of facets without filters are not counted, which
 * are read on another connection at the same time.
 */
export async function measureGroups(label: string, busy: boolean): Promise<void> {
  const clock = busy ? await busyClock(auditPool("report")) : undefined;
  const principal = systemPrincipal(LARGEST);
  row("events", "what", "range", "median", "p95", "slowest");
  row("---:", "---", "---", "---:", "---:", "---");
  for (const days of RANGES_DAYS) {
    const since = Date.now() - days * 86_400_000;
    const measure = async (what: string, ask: (query: ReturnType<typeof filters.parse>) => Promise<unknown>) => {
      const all: number[] = [];
      const slow: [number, string][] = [];
      for (const query of chosen) {
        const parsed = { ...filters.parse(query), since };
        const taken = await time(ROUNDS, () => ask(parsed), clock);
        all.push(...taken);
        slow.push([percentile(taken, 0.5), new URLSearchParams(query).toString() || "all"]);
      }
      const worst = slow.sort(([a], [b]) => b - a).slice(0, 3);
      const text = worst.map(([taken, query]) => `\`${query}\` ${ms(taken)}`).join(", ");
      row(label, what, `${days} days`, ms(percentile(all, 0.5)), ms(percentile(all, 0.95)), text);
    };
    await measure("facets", (query) => getAuditFacets(principal, query));
    for (const by of groupings) await measure(by.join(" and "), (query) => groupAuditLogs(principal, { ...query, by }));
  }
}
