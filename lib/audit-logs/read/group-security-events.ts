import type { AuditRow } from "@/lib/audit-logs/audit-event-draft";
import { assertRange, type Choice } from "@/lib/audit-logs/filters";
import { type Flag, flags, isSecurityEvent } from "@/lib/audit-logs/flags";
import { type Attempt, addressStandings, type Standings } from "@/lib/audit-logs/read/address-standings";
import type { groupSecurityEvents as contract, SecurityEventGroup } from "@/lib/audit-logs/read/groups-contract";
import { readPage } from "@/lib/audit-logs/read/pages";
import { rangeOf, scopeOf } from "@/lib/audit-logs/scope";
import { isStranger, type Standing } from "@/lib/audit-logs/standing";
import type { Input, Output } from "@/lib/http/endpoint";
import { invalid } from "@/lib/http/errors";
import type { Principal } from "@/lib/http/principal";
import { idTime } from "@/lib/ids";

const MAX_GROUPS = 200;
const MAX_ADDRESSES = 5;
const SERIES_INTERVALS = 30;
/** Maximum events to count, newest first. A key far over its limit leaves one event per request, possibly millions. */
const MAX_EVENTS = 50_000;
/** Milliseconds after which no more of the range is read. */
const GROUPING_TIMEOUT_MS = 3_000;
const FIRST_WINDOW_DAYS = 1 / 24;
const COLUMNS = `id, flags, host(ip_address) AS ip_address, country, api_key_id, api_key_name, api_key_hint, user_id, user_name`;

type Row = Pick<
  AuditRow,
  "id" | "flags" | "ip_address" | "country" | "api_key_id" | "api_key_name" | "api_key_hint" | "user_id" | "user_name"
>;

/**
 * Security events grouped by flag and source, groups with the newest event first. If there are too many events, or counting takes too
 * long, only the newest part of the range is counted, starting at `since`. Throws 400.
 */
export async function groupSecurityEvents(
  { organizationId }: Principal,
  filters: Input<typeof contract>,
): Promise<Output<typeof contract>> {
  assertRange(filters);
  if (filters.security_event === false) throw invalid("security_event", "is always true here");
  const scope = await scopeOf(organizationId);
  const now = Date.now();
  const from = rangeOf(scope, filters).from;
  const to = Math.max(from + SERIES_INTERVALS, Math.min(filters.until ?? now + 1, now + 1));
  const range = { ...filters, since: from, until: to, security_event: true };
  const { rows, resume } = await readPage(scope, range, "desc", MAX_EVENTS + 1, null, {
    columns: COLUMNS,
    timeoutMs: GROUPING_TIMEOUT_MS,
    firstWindowDays: FIRST_WINDOW_DAYS,
    purpose: "report",
  });
  // A millisecond is counted completely or not at all.
  const uncounted = rows[MAX_EVENTS];
  const since = uncounted ? idTime(uncounted.id) + 1 : resume === null ? from : idTime(resume);
  const counted = rows.filter(({ id }) => idTime(id) >= since);
  const groups = group(counted, chosenFlags(filters.flag));
  const listed = groups.slice(0, MAX_GROUPS);
  const standings = await addressStandings(organizationId, listed.flatMap(attemptsOf));
  return {
    since: new Date(since).toISOString(),
    until: new Date(to).toISOString(),
    has_earlier: since > from,
    retention_days: scope.days,
    series_starts: Array.from({ length: SERIES_INTERVALS }, (_, at) =>
      new Date(since + at * ((to - since) / SERIES_INTERVALS)).toISOString(),
    ),
    groups: listed.map((events) => toGroup(events, since, to, standings)),
    has_more: groups.length > MAX_GROUPS,
  };
}

/** The events with one flag and source, newest first. */
interface Events {
  flag: Flag;
  source: Omit<SecurityEventGroup["source"], "name">;
  rows: [Row, ...Row[]];
}

/** Groups events, which are sorted newest first, in the order of their newest events. */
function group(rows: readonly Row[], chosen: readonly Flag[]): Events[] {
  const groups = new Map<string, Events>();
  for (const row of rows) {
    const source = sourceOf(row);
    for (const flag of chosen.filter((flag) => row.flags.includes(flag))) {
      const key = `${flag} ${source.type} ${source.id}`;
      const known = groups.get(key);
      if (known) known.rows.push(row);
      else groups.set(key, { flag, source, rows: [row] });
    }
  }
  return [...groups.values()];
}

function sourceOf({ api_key_id, user_id, ip_address }: Row): Events["source"] {
  if (api_key_id !== null) return { type: "api_key", id: api_key_id };
  if (user_id !== null) return { type: "user", id: user_id };
  return ip_address !== null ? { type: "address", id: ip_address } : { type: "system", id: null };
}

/** The distinct attempts with old secrets of a group; none for other flags. */
function attemptsOf({ flag, rows }: Events): Attempt[] {
  if (flag !== "rotated_secret" && flag !== "revoked_key") return [];
  const attempts = rows.flatMap(({ api_key_id, api_key_hint, ip_address }) =>
    api_key_id === null ? [] : [{ apiKeyId: api_key_id, hint: api_key_hint ?? "", address: ip_address }],
  );
  return [...new Map(attempts.map((attempt) => [`${attempt.hint} ${attempt.address}`, attempt])).values()];
}

/** The standing of each address of a group; an address that tried several secrets has its best one. */
function standingsIn(events: Events, standings: Standings): Map<string | null, Standing> {
  const best = new Map<string | null, Standing>();
  for (const attempt of attemptsOf(events)) {
    const { standing } = standings(attempt);
    const before = best.get(attempt.address);
    if (before === undefined || isStranger(before)) best.set(attempt.address, standing);
  }
  return best;
}

function toGroup(events: Events, since: number, to: number, standings: Standings): SecurityEventGroup {
  const { flag, source, rows } = events;
  const [latest] = rows;
  const known = standingsIn(events, standings);
  const first = rows.at(-1) ?? latest;
  const series = Array.from({ length: SERIES_INTERVALS }, () => 0);
  const addresses = new Map<string, { value: string; country: string | null; events: number }>();
  for (const { id, ip_address, country } of rows) {
    const stretch = Math.floor(((idTime(id) - since) / (to - since)) * SERIES_INTERVALS);
    series[Math.min(stretch, SERIES_INTERVALS - 1)] = (series[Math.min(stretch, SERIES_INTERVALS - 1)] ?? 0) + 1;
    if (ip_address === null) continue;
    const address = addresses.get(ip_address) ?? { value: ip_address, country: null, events: 0 };
    address.events++;
    address.country ??= country;
    addresses.set(ip_address, address);
  }
  const byEvents = [...addresses.values()].sort((a, b) => b.events - a.events || (a.value < b.value ? -1 : 1));
  return {
    flag,
    source: { ...source, name: latest.api_key_name ?? latest.user_name },
    events: rows.length,
    unique_ips: addresses.size,
    by_ip: byEvents
      .slice(0, MAX_ADDRESSES)
      .map((address) => ({ ...address, standing: known.get(address.value) ?? null })),
    strangers: known.size === 0 ? null : [...known.values()].filter(isStranger).length,
    first_at: new Date(idTime(first.id)).toISOString(),
    last_at: new Date(idTime(latest.id)).toISOString(),
    last_event_id: latest.id,
    series,
  };
}

/** The flags that a filter selects: those it includes, or all that it does not exclude. */
function chosenFlags(choice: Choice | undefined): Flag[] {
  const named = choice?.include ?? [];
  return flags.filter(
    (flag) =>
      isSecurityEvent([flag]) && (named.length === 0 || named.includes(flag)) && !choice?.exclude.includes(flag),
  );
}
