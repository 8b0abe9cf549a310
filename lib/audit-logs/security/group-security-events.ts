import { assertRange, type Choice } from "@/lib/audit-logs/filters";
import { type Flag, flags, isAlarming, isSecurityEvent } from "@/lib/audit-logs/flags";
import { type Attempt, addressStandings, type Standings } from "@/lib/audit-logs/read/address-standings";
import { rangeOf, type Scope, scopeOf } from "@/lib/audit-logs/scope/scope";
import type { groupSecurityEvents as contract, SecurityEventGroup } from "@/lib/audit-logs/security/groups-contract";
import { type Alike, readSecurityEvents } from "@/lib/audit-logs/security/read-security-events";
import { isStranger, type Standing } from "@/lib/audit-logs/standing";
import { auditPool } from "@/lib/db/audit";
import type { Input, Output } from "@/lib/http/endpoint";
import { invalid } from "@/lib/http/errors";
import type { Principal } from "@/lib/http/principal";
import { idTime } from "@/lib/ids";

const MAX_GROUPS = 200;
const MAX_ADDRESSES = 5;
const SERIES_INTERVALS = 30;

/**
 * Security events grouped by flag and source, those that need attention first, each with the newest event first. If there are too many
 * events, or counting takes too long, only the newest part of the range is counted, starting at `since`. Throws 400.
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
  const { events: counted, since } = await readSecurityEvents(scope, filters, { from, to });
  const groups = group(counted, chosenFlags(filters.flag));
  const needing = groups.filter(({ flag }) => isAlarming(flag));
  const listed = [...needing, ...groups.filter(({ flag }) => !isAlarming(flag))].slice(0, MAX_GROUPS);
  const [standings, names] = await Promise.all([
    addressStandings(organizationId, listed.flatMap(attemptsOf)),
    readNames(scope, new Set(listed.map(({ alike: [{ last }] }) => last))),
  ]);
  return {
    since: new Date(since).toISOString(),
    until: new Date(to).toISOString(),
    has_earlier: since > from,
    retention_days: scope.days,
    series_starts: Array.from({ length: SERIES_INTERVALS }, (_, at) =>
      new Date(since + at * ((to - since) / SERIES_INTERVALS)).toISOString(),
    ),
    groups: listed.map((events) => toGroup(events, { since, to, standings, names })),
    has_more: groups.length > MAX_GROUPS,
  };
}

/** The events with one flag and source. */
interface Events {
  flag: Flag;
  source: Omit<SecurityEventGroup["source"], "name">;
  /** Those with the newest event first. */
  alike: [Alike, ...Alike[]];
}

/** Groups events in the order of their newest events. */
function group(events: readonly Alike[], chosen: readonly Flag[]): Events[] {
  const groups = new Map<string, Events>();
  for (const alike of events) {
    const source = sourceOf(alike);
    for (const flag of chosen.filter((flag) => alike.flags.includes(flag))) {
      const key = `${flag} ${source.type} ${source.id}`;
      const known = groups.get(key);
      if (known) known.alike.push(alike);
      else groups.set(key, { flag, source, alike: [alike] });
    }
  }
  return [...groups.values()];
}

/** The display names of the callers of these events, by id. */
async function readNames({ organizationId, classes }: Scope, ids: ReadonlySet<string>): Promise<Map<string, string>> {
  if (ids.size === 0) return new Map();
  const { rows } = await auditPool("report").query<{ id: string; name: string | null }>(
    `SELECT id, coalesce(api_key_name, user_name) AS name FROM audit_events
     WHERE organization_id = $1 AND retention_days = ANY($2::smallint[]) AND id = ANY($3::uuid[])`,
    [organizationId, classes, [...ids]],
  );
  return new Map(rows.flatMap(({ id, name }) => (name === null ? [] : [[id, name] as const])));
}

function sourceOf({ isRedacted, api_key_id, user_id, ip_address }: Alike): Events["source"] {
  if (isRedacted) return { type: "redacted", id: null };
  if (api_key_id !== null) return { type: "api_key", id: api_key_id };
  if (user_id !== null) return { type: "user", id: user_id };
  return ip_address !== null ? { type: "address", id: ip_address } : { type: "system", id: null };
}

/** The distinct attempts with old secrets of a group; none for other flags. */
function attemptsOf({ flag, alike }: Events): Attempt[] {
  if (flag !== "rotated_secret" && flag !== "revoked_key") return [];
  const attempts = alike.flatMap(({ api_key_id, api_key_hint, ip_address }) =>
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

interface Context {
  /** The counted range, Unix milliseconds. */
  since: number;
  to: number;
  standings: Standings;
  names: ReadonlyMap<string, string>;
}

function toGroup(events: Events, { since, to, standings, names }: Context): SecurityEventGroup {
  const { flag, source, alike } = events;
  const { last } = alike[0];
  const known = standingsIn(events, standings);
  const series = Array.from({ length: SERIES_INTERVALS }, () => 0);
  const addresses = new Map<string, { value: string; country: string | null; events: number }>();
  let [count, first] = [0, idTime(last)];
  for (const { times, ip_address, country } of alike) {
    count += times.length;
    for (const time of times) {
      first = Math.min(first, time);
      const stretch = Math.min(Math.floor(((time - since) / (to - since)) * SERIES_INTERVALS), SERIES_INTERVALS - 1);
      series[stretch] = (series[stretch] ?? 0) + 1;
    }
    if (ip_address === null) continue;
    const address = addresses.get(ip_address) ?? { value: ip_address, country: null, events: 0 };
    address.events += times.length;
    address.country ??= country;
    addresses.set(ip_address, address);
  }
  const byEvents = [...addresses.values()].sort((a, b) => b.events - a.events || (a.value < b.value ? -1 : 1));
  return {
    flag,
    source: { ...source, name: names.get(last) ?? null },
    events: count,
    unique_ips: addresses.size,
    by_ip: byEvents
      .slice(0, MAX_ADDRESSES)
      .map((address) => ({ ...address, standing: known.get(address.value) ?? null })),
    strangers: known.size === 0 ? null : [...known.values()].filter(isStranger).length,
    first_at: new Date(first).toISOString(),
    last_at: new Date(idTime(last)).toISOString(),
    last_event_id: last,
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
