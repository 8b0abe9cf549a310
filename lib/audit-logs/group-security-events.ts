import type { Input, Output } from "@/lib/api/endpoint";
import { invalid } from "@/lib/api/errors";
import { assertRange, type Choice, type Filters } from "@/lib/audit-logs/filters";
import { type Flag, flags, isSecurityEvent } from "@/lib/audit-logs/flags";
import type { groupSecurityEvents as contract, SecurityEventGroup } from "@/lib/audit-logs/groups-contract";
import { rangeOf, type Scope, scopeOf } from "@/lib/audit-logs/scope";
import { where } from "@/lib/audit-logs/where";
import type { Principal } from "@/lib/auth/principal";
import { auditPool } from "@/lib/db/audit";
import { idAt, idTime } from "@/lib/ids";

const MOST_GROUPS = 200;
const STRETCHES = 30;

interface Row {
  flag: Flag;
  type: SecurityEventGroup["source"]["type"];
  source: string | null;
  name: string | null;
  events: string;
  unique_ips: string;
  by_ip: SecurityEventGroup["by_ip"] | null;
  first_id: string;
  last_id: string;
  stretches: { stretch: number; events: number }[];
}

/** Security events by flag and source, the groups with the newest event first. Throws 400. */
export async function groupSecurityEvents(
  { organizationId }: Principal,
  filters: Input<typeof contract>,
): Promise<Output<typeof contract>> {
  assertRange(filters);
  if (filters.security_event === false) throw invalid("security_event", "is always true here");
  const scope = await scopeOf(organizationId);
  const now = Date.now();
  const from = rangeOf(scope, filters).from;
  const to = Math.max(from + STRETCHES, Math.min(filters.until ?? now + 1, now + 1));
  const { text, values } = statement(scope, filters, from, to);
  const { rows } = await auditPool("report").query<Row>(text, values);
  return {
    since: new Date(from).toISOString(),
    until: new Date(to).toISOString(),
    retention_days: scope.days,
    series_starts: Array.from({ length: STRETCHES }, (_, at) =>
      new Date(from + at * ((to - from) / STRETCHES)).toISOString(),
    ),
    groups: rows.slice(0, MOST_GROUPS).map(toGroup),
    has_more: rows.length > MOST_GROUPS,
  };
}

function toGroup(row: Row): SecurityEventGroup {
  const series = Array.from({ length: STRETCHES }, () => 0);
  for (const { stretch, events } of row.stretches) series[Math.min(stretch, STRETCHES) - 1] = events;
  return {
    flag: row.flag,
    source: { type: row.type, id: row.source, name: row.name },
    events: Number(row.events),
    unique_ips: Number(row.unique_ips),
    by_ip: row.by_ip ?? [],
    first_at: new Date(idTime(row.first_id)).toISOString(),
    last_at: new Date(idTime(row.last_id)).toISOString(),
    last_event_id: row.last_id,
    series,
  };
}

/** The flags that a filter leaves: those it names, or all but those it excludes. */
function chosenFlags(choice: Choice | undefined): Flag[] {
  const named = choice?.include ?? [];
  return flags.filter(
    (flag) =>
      isSecurityEvent([flag]) && (named.length === 0 || named.includes(flag)) && !choice?.exclude.includes(flag),
  );
}

/** One statement, so that counts, addresses and series are of one snapshot. */
function statement(scope: Scope, { since: _since, until: _until, ...filters }: Filters, from: number, to: number) {
  const conditions = where(scope, { ...filters, security_event: true });
  conditions.add(`id >= ${conditions.value(idAt(from))} AND id < ${conditions.value(idAt(to))}`);
  const chosen = conditions.value(chosenFlags(filters.flag));
  const bound = (time: number) => `extract(epoch FROM ${conditions.value(new Date(time).toISOString())}::timestamptz)`;
  const stretch = `width_bucket(extract(epoch FROM occurred_at), ${bound(from)}, ${bound(to)}, ${STRETCHES})`;
  const text = `
WITH found AS MATERIALIZED (
  SELECT id, flag, ${stretch} AS stretch, host(ip_address) AS ip, country,
    CASE WHEN api_key_id IS NOT NULL THEN 'api_key' WHEN user_id IS NOT NULL THEN 'user'
      WHEN ip_address IS NOT NULL THEN 'address' ELSE 'system' END AS type,
    coalesce(api_key_id::text, user_id::text, host(ip_address)) AS source,
    coalesce(api_key_name, user_name) AS name
  FROM audit_events CROSS JOIN LATERAL unnest(flags) AS flag
  WHERE ${conditions} AND flag = ANY(${chosen}::text[])
), groups AS (
  SELECT flag, type, source, count(*) AS events, count(DISTINCT ip) AS unique_ips,
    min(id::text COLLATE "C") AS first_id, max(id::text COLLATE "C") AS last_id
  FROM found GROUP BY flag, type, source ORDER BY last_id DESC, flag LIMIT ${MOST_GROUPS + 1}
), addresses AS (
  SELECT flag, type, source, json_agg(json_build_object('value', ip, 'country', country, 'events', events) ORDER BY events DESC, ip) AS by_ip
  FROM (
    SELECT flag, type, source, ip, max(country) AS country, count(*) AS events,
      row_number() OVER (PARTITION BY flag, type, source ORDER BY count(*) DESC, ip) AS rank
    FROM found WHERE ip IS NOT NULL GROUP BY flag, type, source, ip
  ) AS ranked WHERE rank <= 5 GROUP BY flag, type, source
), series AS (
  SELECT flag, type, source, json_agg(json_build_object('stretch', stretch, 'events', events)) AS stretches
  FROM (SELECT flag, type, source, stretch, count(*) AS events FROM found GROUP BY 1, 2, 3, 4) AS counted GROUP BY 1, 2, 3
)
SELECT groups.*, by_ip, stretches,
  (SELECT name FROM found WHERE found.id = groups.last_id::uuid AND found.flag = groups.flag) AS name
FROM groups
JOIN series ON series.flag = groups.flag AND series.type = groups.type AND series.source IS NOT DISTINCT FROM groups.source
LEFT JOIN addresses ON addresses.flag = groups.flag AND addresses.type = groups.type
  AND addresses.source IS NOT DISTINCT FROM groups.source
ORDER BY last_id DESC, groups.flag`;
  return { text, values: conditions.values };
}
