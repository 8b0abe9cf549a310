import { keyId, LARGEST } from "@/bench/audit/events";
import { busyClock } from "@/bench/busy";
import { ms, percentile, row, time } from "@/bench/measure";
import { getAuditStats } from "@/lib/audit-logs/count/stats";
import { type Filters, filters } from "@/lib/audit-logs/filters";
import { readPage } from "@/lib/audit-logs/read/pages";
import { scopeOf } from "@/lib/audit-logs/scope/scope";
import { auditPool } from "@/lib/db/audit";
import { systemPrincipal } from "@/lib/http/principal";

const PAGE = 51;
const DEEP = 1_000 * 50;
/** The number of slowest queries to print after the table. */
const LISTED = 40;

/** One value of every filter, common and rare. */
const singles: Record<string, string>[] = [
  {},
  { method: "GET" },
  { method: "!GET" },
  { method: "PUT,DELETE" },
  { path: "/api/v1/certificates" },
  { path: "/api/v1/cert*" },
  { path: "/api/v1/api-keys/*" },
  { route: "/api/v1/api-keys/{id}/rotate" },
  { status: "5xx" },
  { status: "429" },
  { error_code: "API_KEY_REVOKED" },
  { auth_type: "session" },
  { api_key_id: keyId(0, 0) },
  { api_key_id: keyId(0, 39) },
  { ip: "203.0.0.0" },
  { ip: "203.0.11.0/24" },
  { ip: "203.0.8.0/22" },
  { country: "JP" },
  { flag: "rotated_secret" },
  { security_event: "true" },
  { resource_type: "api_key" },
  { action: "api_key.rotate" },
  { min_response_time_ms: "80" },
  { q: "terraform" },
  { q: "cursor=ff00" },
  { q: "nowhere to be found" },
];

function pairs(): Record<string, string>[] {
  const chosen = singles.slice(1);
  return chosen.flatMap((first, index) =>
    chosen.slice(index + 1).flatMap((second) => {
      const sameName = Object.keys(first)[0] === Object.keys(second)[0];
      return sameName ? [] : [{ ...first, ...second }];
    }),
  );
}

/**
 * Measures every single filter and every pair, on page 1 and page 1,000, and prints the slowest. With `busy` it measures
 * processor time, so that other load on the machine does not count.
 */
export async function measureQueries(label: string, busy: boolean): Promise<void> {
  const clock = busy ? await busyClock(auditPool()) : undefined;
  const scope = await scopeOf(LARGEST);
  const { rows } = await readPage(scope, filters.parse({}), "desc", DEEP, null, {
    columns: "id",
    timeoutMs: Infinity,
  });
  const deep = rows.at(-1)?.id ?? null;
  for (const [kind, asked, rounds] of [
    ["single filters", singles, 5],
    ["pairs of filters", pairs(), 1],
  ] as const) {
    for (const [page, after] of [
      ["page 1", null],
      ["page 1,000", deep],
    ] as const) {
      const all: number[] = [];
      const slow: [number, string][] = [];
      for (const query of asked) {
        const parsed: Filters = filters.parse(query);
        const taken = await time(rounds, () => readPage(scope, parsed, "desc", PAGE, after), clock);
        all.push(...taken);
        slow.push([Math.max(...taken), new URLSearchParams(query).toString()]);
      }
      slow.sort(([a], [b]) => b - a);
      for (const [taken, query] of slow.slice(0, LISTED)) process.stderr.write(`${ms(taken)} ${page} ${query}\n`);
      const worst = slow.slice(0, 3).map(([taken, query]) => `\`${query}\` ${ms(taken)}`);
      row(label, kind, page, ms(percentile(all, 0.5)), ms(percentile(all, 0.95)), worst.join(", "));
    }
  }
  const security = filters.parse({ security_event: "true" });
  const events = await time(30, () => readPage(scope, security, "desc", PAGE, null), clock);
  row(label, "security events", "page 1", ms(percentile(events, 0.5)), ms(percentile(events, 0.95)), "");
  const since = Date.now() - 30 * 86_400_000;
  const stats = await time(20, () => getAuditStats(systemPrincipal(LARGEST), { since, interval: undefined }), clock);
  row(label, "stats", "30 days", ms(percentile(stats, 0.5)), ms(percentile(stats, 0.95)), "");
}
