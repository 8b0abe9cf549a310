import { Conditions } from "@/lib/audit-logs/conditions";
import type { Flag } from "@/lib/audit-logs/flags";
import type { Scope } from "@/lib/audit-logs/scope/scope";
import { kept } from "@/lib/audit-logs/scope/where";
import { auditPool } from "@/lib/db/audit";
import { idAt, idTime } from "@/lib/ids";
import { DAY_MS } from "@/lib/time/units";

/** Maximum events at the edge of a day that are scanned in order. */
const SCAN_LIMIT = 1_000;

/** Events to find by their tokens, with the UTC days (Unix milliseconds) of the first and the last event. */
export interface Sought {
  tokens: string[];
  /** Only events with the secret that has this hint. */
  hint?: string;
  /** Only events without this flag. */
  without?: Flag;
  /** Only events with an unknown address, which has no token. */
  nowhere?: boolean;
  firstDay: number;
  lastDay: number;
}

export interface Found {
  firstAt: string;
  lastAt: string;
  /** The user agent of the last event. */
  userAgent: string | null;
}

interface Row {
  first: string | null;
  last: string | null;
  user_agent: string | null;
}

/**
 * The exact times of the first and the last event of each kind, in the order of `sought`. Reads only two days per kind; null if there
 * are no such events after all.
 */
export async function firstAndLast(scope: Scope, sought: readonly Sought[]): Promise<(Found | null)[]> {
  if (sought.length === 0) return [];
  const all = new Conditions();
  const own = kept(all, scope).join(" AND ");
  // A separate subquery each, so that its single partition is known at planning time.
  const ends = sought.map((each, place) => {
    const matches = matching(all, each);
    const edge = (day: number, order: "ASC" | "DESC") => {
      const within = `${own} AND id >= ${all.value(idAt(day))} AND id < ${all.value(idAt(day + DAY_MS))}`;
      // A frequent event is found near the edge of its day; others are found by the index of tokens, which OFFSET 0 forces the
      // planner to use.
      const scan = `SELECT * FROM audit_events WHERE ${within} ORDER BY id ${order} LIMIT ${SCAN_LIMIT}`;
      const byIndex = `SELECT * FROM audit_events WHERE ${within} AND ${matches} OFFSET 0`;
      return `COALESCE((SELECT id FROM (${scan}) AS near WHERE ${matches} ORDER BY id ${order} LIMIT 1),
        (SELECT id FROM (${byIndex}) AS found ORDER BY id ${order} LIMIT 1))`;
    };
    return `SELECT ${place} AS place, ${edge(each.firstDay, "ASC")} AS first, ${edge(each.lastDay, "DESC")} AS last`;
  });
  const { rows } = await auditPool("report").query<Row>(
    `SELECT first, last, (SELECT user_agent FROM audit_events WHERE ${own} AND id = last) AS user_agent
     FROM (${ends.join(" UNION ALL ")}) AS ends ORDER BY place`,
    all.values,
  );
  return rows.map(({ first, last, user_agent }) =>
    first === null || last === null
      ? null
      : {
          firstAt: new Date(idTime(first)).toISOString(),
          lastAt: new Date(idTime(last)).toISOString(),
          userAgent: user_agent,
        },
  );
}

function matching(all: Conditions, { tokens, hint, without, nowhere }: Sought): string {
  const matches = [`tokens @> ${all.value(tokens)}::text[]`];
  if (hint !== undefined) matches.push(`api_key_hint = ${all.value(hint)}`);
  if (without !== undefined) matches.push(`${all.value(without)}::text <> ALL (flags)`);
  if (nowhere) matches.push("ip_address IS NULL");
  return matches.join(" AND ");
}
