import type { Flag } from "@/lib/audit-logs/flags";
import type { Scope } from "@/lib/audit-logs/scope";
import { Conditions, kept } from "@/lib/audit-logs/where";
import { auditPool } from "@/lib/db/audit";
import { idAt, idTime } from "@/lib/ids";

const DAY_MS = 86_400_000;
/** So many events at a day's edge are looked through in order. */
const SCAN_LIMIT = 1_000;

/** Events by their tokens, and the UTC days (Unix milliseconds) of the first and the last of them. */
export interface Sought {
  tokens: string[];
  /** Only events with the secret of this hint. */
  hint?: string;
  /** Only events without this flag. */
  without?: Flag;
  /** Only events whose address is not known, which is no token. */
  nowhere?: boolean;
  firstDay: number;
  lastDay: number;
}

export interface Found {
  firstAt: string;
  lastAt: string;
  /** Of the last of them. */
  userAgent: string | null;
}

interface Row {
  first: string | null;
  last: string | null;
  user_agent: string | null;
}

/**
 * The exact times of the first and the last event of each kind sought, in the same order. Looks at two days per kind, whatever
 * lies between; null where there is none after all.
 */
export async function firstAndLast(scope: Scope, sought: readonly Sought[]): Promise<(Found | null)[]> {
  if (sought.length === 0) return [];
  const all = new Conditions();
  const own = kept(all, scope).join(" AND ");
  // A look-up of its own for each, so that its one partition is known when it is planned.
  const ends = sought.map((each, place) => {
    const fits = fitting(all, each);
    const edge = (day: number, order: "ASC" | "DESC") => {
      const within = `${own} AND id >= ${all.value(idAt(day))} AND id < ${all.value(idAt(day + DAY_MS))}`;
      // Of what is frequent one is among those at the day's edge; the others the index of tokens finds, where the fence
      // keeps the planner with it.
      const glance = `SELECT * FROM audit_events WHERE ${within} ORDER BY id ${order} LIMIT ${SCAN_LIMIT}`;
      const byIndex = `SELECT * FROM audit_events WHERE ${within} AND ${fits} OFFSET 0`;
      return `COALESCE((SELECT id FROM (${glance}) AS near WHERE ${fits} ORDER BY id ${order} LIMIT 1),
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

function fitting(all: Conditions, { tokens, hint, without, nowhere }: Sought): string {
  const fits = [`tokens @> ${all.value(tokens)}::text[]`];
  if (hint !== undefined) fits.push(`api_key_hint = ${all.value(hint)}`);
  if (without !== undefined) fits.push(`${all.value(without)}::text <> ALL (flags)`);
  if (nowhere) fits.push("ip_address IS NULL");
  return fits.join(" AND ");
}
