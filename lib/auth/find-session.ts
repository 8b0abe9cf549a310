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

/** A person with their sessions among those looked up, and all their organizations, the first one first. */
interface Row {
  userId: string;
  userName: string;
  email: string;
  issuer: string;
  sessions: { id: string; isStale: boolean; verifiedEmail: string | null }[];
  organizations: {
    id: string;
    name: string;
    permission: Permission;
    plan: string;
    isDemonstration: boolean;
    deletionDueAt: string | null;
  }[];
}

// One row per person, however many of their sessions are looked up together, so that their memberships are read once.
// As in find-key.ts: the parameter is wrapped in a SELECT so that the plan is reused.
const SQL = `
SELECT u.id AS "userId", u.name AS "userName", u.email, u.issuer, live.sessions, own.organizations
FROM (
  SELECT s.user_id, json_agg(json_build_object('id', s.id, 'isStale', s.seen_at < now() - interval '1 minute',
    'verifiedEmail', s.verified_email)) AS sessions
  FROM sessions s
  WHERE s.id = ANY((SELECT $1::uuid[])::uuid[]) AND s.ended_at IS NULL AND s.expires_at > now()
    AND s.seen_at > now() - make_interval(mins => $2)
  GROUP BY s.user_id
) AS live
JOIN users u ON u.id = live.user_id
CROSS JOIN LATERAL (
  SELECT json_agg(json_build_object('id', o.id, 'name', o.name, 'permission', m.permission, 'plan', o.plan,
    'isDemonstration', o.demonstration, 'deletionDueAt', o.deletion_due_at) ORDER BY m.created_at, o.id) AS organizations
  FROM memberships m JOIN organizations o ON o.id = m.organization_id WHERE m.user_id = u.id
) AS own
WHERE own.organizations IS NOT NULL`;

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

/** The person of a session, with what is equal for all their sessions of one query. */
interface Found {
  person: Row;
  session: Row["sessions"][number];
  organizations: FoundSession["organizations"];
}

async function load(ids: string[]): Promise<(id: string) => Found | null> {
  const { rows } = await pool().query<Row>({
    name: "find-session",
    text: SQL,
    values: [ids, config().SESSION_IDLE_MINUTES],
  });
  const found = new Map<string, Found>();
  for (const person of rows) {
    const organizations = person.organizations.map(({ id, name, permission }) => ({ id, name, permission }));
    for (const session of person.sessions) found.set(session.id, { person, session, organizations });
  }
  return (id) => found.get(id) ?? null;
}

async function lookUp(sessionId: string, wanted: readonly string[]) {
  const find = processSingleton("auth.find-session", () => coalesce(load));
  const found = await find(sessionId);
  if (found === null) return null;
  const { person, session, organizations } = found;
  const asked = wanted.map((id) => person.organizations.find((each) => each.id === id));
  const organization = asked.find((each) => each !== undefined) ?? person.organizations[0];
  if (organization === undefined) return null;
  const { id: organizationId, permission, plan, isDemonstration, deletionDueAt } = organization;
  return {
    isStale: session.isStale,
    principal: {
      organizationId,
      permission,
      actor: { type: "user", id: person.userId, name: person.userName, email: person.email } as const,
      async isCurrent(isUse = false) {
        const now = isUse ? await findSession(sessionId, organizationId) : await lookUp(sessionId, [organizationId]);
        return now?.principal.organizationId === organizationId && now.principal.permission === permission;
      },
    },
    plan,
    isDemonstration,
    isOperator: isOperator({ ...person, ...session }, config()),
    deletionDueAt: deletionDueAt === null ? null : new Date(deletionDueAt),
    organizations,
  };
}
