import { isOperator } from "@/lib/auth/is-operator";
import { config } from "@/lib/config";
import { pool } from "@/lib/db/app";
import { coalesce } from "@/lib/db/coalesce";
import { logFailure } from "@/lib/db/outage-log";
import type { Permission, Principal } from "@/lib/http/principal";
import { processSingleton } from "@/lib/process-singleton";

/** A signed-in person in one of their organizations. */
export interface FoundSession {
  principal: Principal;
  plan: string;
  /** Whether the organization has demonstration data. */
  isDemonstration: boolean;
  /** When the organization will be deleted, if deletion was requested. */
  deletionDueAt: Date | null;
  organizations: { id: string; name: string; permission: Permission }[];
  /** Whether the person operates this installation. */
  isOperator: boolean;
}

interface Row {
  sessionId: string;
  userId: string;
  userName: string;
  email: string;
  organizationId: string;
  organizationName: string;
  plan: string;
  isDemonstration: boolean;
  deletionDueAt: Date | null;
  permission: Permission;
  isStale: boolean;
  issuer: string;
  verifiedEmail: string | null;
}

// As in find-key.ts: the parameter is wrapped in a SELECT so that the plan is reused.
const SQL = `
SELECT s.id AS "sessionId", u.id AS "userId", u.name AS "userName", u.email, o.id AS "organizationId", o.name AS "organizationName",
  o.plan, o.demonstration AS "isDemonstration", o.deletion_due_at AS "deletionDueAt", m.permission,
  s.seen_at < now() - interval '1 minute' AS "isStale", u.issuer, s.verified_email AS "verifiedEmail"
FROM sessions s
JOIN users u ON u.id = s.user_id
JOIN memberships m ON m.user_id = u.id
JOIN organizations o ON o.id = m.organization_id
WHERE s.id = ANY((SELECT $1::uuid[])::uuid[]) AND s.ended_at IS NULL AND s.expires_at > now()
  AND s.seen_at > now() - make_interval(mins => $2)
ORDER BY m.created_at, o.id`;

/** Writes at most once a minute, across all processes. */
const TOUCH = `UPDATE sessions SET seen_at = now() WHERE id = $1 AND seen_at < now() - interval '1 minute'`;

/**
 * The person of a session and the organization they work in: the first of `wanted` that they are a member of, else their first.
 * Membership and permission are read for every request, so removal takes effect with the next one. Null if the session has ended or
 * been idle too long, or if the person has no membership. Counts as use of the session.
 */
export async function findSession(sessionId: string, ...wanted: string[]): Promise<FoundSession | null> {
  const found = await lookUp(sessionId, wanted);
  if (found?.isStale) {
    pool()
      .query({ name: "touch-session", text: TOUCH, values: [sessionId] })
      .catch((error) => logFailure("the use of a session was not recorded", error));
  }
  return found;
}

async function lookUp(sessionId: string, wanted: readonly string[]) {
  const find = processSingleton("auth.find-session", () =>
    coalesce<string, Row[]>(async (ids) => {
      const { rows } = await pool().query<Row>({
        name: "find-session",
        text: SQL,
        values: [ids, config().SESSION_IDLE_MINUTES],
      });
      return (id) => rows.filter((row) => row.sessionId === id);
    }),
  );
  const rows = await find(sessionId);
  const asked = wanted.map((id) => rows.find(({ organizationId }) => organizationId === id));
  const row = asked.find((each) => each !== undefined) ?? rows[0];
  if (row === undefined) return null;
  return {
    isStale: row.isStale,
    principal: {
      organizationId: row.organizationId,
      permission: row.permission,
      actor: { type: "user", id: row.userId, name: row.userName, email: row.email } as const,
      async isCurrent(isUse = false) {
        const now = isUse
          ? await findSession(sessionId, row.organizationId)
          : await lookUp(sessionId, [row.organizationId]);
        return now?.principal.organizationId === row.organizationId && now.principal.permission === row.permission;
      },
    },
    plan: row.plan,
    isDemonstration: row.isDemonstration,
    isOperator: isOperator(row, config()),
    deletionDueAt: row.deletionDueAt,
    organizations: rows.map((each) => ({
      id: each.organizationId,
      name: each.organizationName,
      permission: each.permission,
    })),
  };
}
