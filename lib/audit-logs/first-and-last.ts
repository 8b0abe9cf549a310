import { arrayLiteral } from "@/lib/audit-logs/append";
import type { Flag } from "@/lib/audit-logs/flags";
import type { Scope } from "@/lib/audit-logs/scope";
import { auditPool } from "@/lib/db/audit";
import { idAt, idTime } from "@/lib/ids";

const DAY_MS = 86_400_000;

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
  // The fence keeps the planner with the index of tokens, where a limit would have it walk through the day.
  const events = (from: string, to: string) => `(
    SELECT id, user_agent FROM audit_events WHERE organization_id = $1 AND retention_days = ANY ($2::smallint[])
      AND tokens @> sought.tokens::text[] AND id >= ${from} AND id < ${to}
      AND (hint = '' OR api_key_hint = hint) AND (NOT nowhere OR ip_address IS NULL) AND without <> ALL (flags) OFFSET 0
  ) AS events`;
  const { rows } = await auditPool().query<Row>(
    `SELECT earliest.id AS first, latest.id AS last, latest.user_agent
     FROM unnest($3::text[], $4::text[], $5::uuid[], $6::uuid[], $7::uuid[], $8::uuid[], $9::boolean[], $10::text[]) WITH ORDINALITY
       AS sought (tokens, hint, first_from, first_to, last_from, last_to, nowhere, without, place)
     LEFT JOIN LATERAL (SELECT * FROM ${events("first_from", "first_to")} ORDER BY id LIMIT 1) AS earliest ON true
     LEFT JOIN LATERAL (SELECT * FROM ${events("last_from", "last_to")} ORDER BY id DESC LIMIT 1) AS latest ON true
     ORDER BY place`,
    [
      scope.organizationId,
      scope.classes,
      sought.map(({ tokens }) => arrayLiteral(tokens)),
      sought.map(({ hint = "" }) => hint),
      ...[
        sought.map(({ firstDay }) => firstDay),
        sought.map(({ firstDay }) => firstDay + DAY_MS),
        sought.map(({ lastDay }) => lastDay),
        sought.map(({ lastDay }) => lastDay + DAY_MS),
      ].map((times) => times.map(idAt)),
      sought.map(({ nowhere = false }) => nowhere),
      sought.map(({ without = "" }) => without),
    ],
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
