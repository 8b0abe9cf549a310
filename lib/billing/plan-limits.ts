import { db, pool, queryIn, type Transaction } from "@/lib/db/app";
import { ApiError, notFound } from "@/lib/http/errors";
import {
  addedCertificatesPerYear,
  allowances,
  type Limited,
  limited,
  obtainedCertificatesPerYear,
  planNames,
} from "@/lib/plans";
import { processSingleton } from "@/lib/process-singleton";
import { plural } from "@/lib/text/counts";

/** What has a limit in each plan: also that which follows from another limit, so that plans and their usage do not list it. */
type Counted = Limited | "added_certificates" | "obtained_certificates";

/** The rows of each limited resource of the organization `o`. A revoked key stays on record and does not count. */
const counted: Record<Counted, string> = {
  certificate_endpoints: "certificate_endpoints WHERE organization_id = o.id",
  monitors: "uptime_monitors WHERE organization_id = o.id",
  domains: "domains WHERE organization_id = o.id",
  members: "memberships WHERE organization_id = o.id",
  api_keys: "api_keys WHERE organization_id = o.id AND revoked_at IS NULL",
  destinations: "destinations WHERE organization_id = o.id",
  alert_rules: "alert_rules WHERE organization_id = o.id",
  notification_channels: "notification_channels WHERE organization_id = o.id",
  added_certificates: "certificates WHERE organization_id = o.id AND added_at > now() - interval '365 days'",
  obtained_certificates: "certificates WHERE organization_id = o.id AND obtained_at > now() - interval '365 days'",
};

/** How many of a resource the organization `o` has, in SQL. */
const countOf = (noun: Counted) => `(SELECT count(*) FROM ${counted[noun]})::integer`;

const USAGE = `SELECT ${limited.map((noun) => `${countOf(noun)} AS ${noun}`).join(", ")} FROM organizations o WHERE id = $1::uuid`;

/** The number of each limited resource that the organization has. Throws 404. */
export async function usage(organizationId: string): Promise<Record<Limited, number>> {
  const { rows } = await pool().query<Record<Limited, number>>({
    name: "usage",
    text: USAGE,
    values: [organizationId],
  });
  const [used] = rows;
  if (used === undefined) throw notFound();
  return used;
}

function limitOf(plan: string, noun: Counted): number {
  if (noun === "added_certificates") return addedCertificatesPerYear(plan);
  return noun === "obtained_certificates" ? obtainedCertificatesPerYear(plan) : allowances(plan)[noun];
}

/** A resource in messages. */
function wordsOf(noun: Counted): string {
  if (noun === "added_certificates") return "certificates added within 365 days";
  return noun === "obtained_certificates" ? "certificates handed in within 365 days" : noun.replace("_", " ");
}

/**
 * Resources that may be added while one statement counts, and by transactions in progress that were counted before: more than
 * PostgreSQL has connections, and several bulk requests.
 */
const FAR_FROM_LIMIT = 5_000;
/** If twice the room is left, the count is cached this long (ms): counting a large organization takes long. */
const COUNT_HOLDS_MS = 1_000;
/** Organizations that are remembered. */
const MAX_COUNTED = 1_000;

/** The plan with which an organization had that much room, and until when nobody counts again, by `performance.now()`. */
const counts = () => processSingleton("billing.counts", () => new Map<string, { plan: string; until: number }>());

/**
 * Whether there is so much room for one more that nobody has to wait: the plan is locked against changes, and additions near the limit
 * wait for this transaction. False also while one of those is in progress, without waiting for it.
 */
async function isFarFromLimit(tx: Transaction, organizationId: string, noun: Counted): Promise<boolean> {
  const limits = planNames
    .map((plan) => [plan, limitOf(plan, noun)] as const)
    .filter(([, most]) => most > FAR_FROM_LIMIT);
  if (limits.length === 0) return false;
  const name = `${organizationId} ${noun}`;
  const known = counts().get(name);
  const startedAt = performance.now();
  // The condition is checked before the row is locked: nobody holds the shared lock and waits for the exclusive one. If the plan was
  // changed while the statement counted, the condition is checked again with the new plan and what was counted.
  const [row] = await queryIn<{ plan: string; room: number }>(tx, {
    text: `SELECT plan, room FROM organizations o CROSS JOIN LATERAL (
        SELECT plan AS counted_for, CASE WHEN plan = $3 THEN ${2 * FAR_FROM_LIMIT} WHEN $2::jsonb ? plan THEN ($2::jsonb ->> plan)::integer - ${countOf(noun)} ELSE 0 END
          AS room OFFSET 0
      ) AS allowed
      WHERE id = $1::uuid AND plan = counted_for AND room > ${FAR_FROM_LIMIT} FOR SHARE OF o SKIP LOCKED`,
    values: [
      organizationId,
      JSON.stringify(Object.fromEntries(limits)),
      known !== undefined && known.until > startedAt ? known.plan : null,
    ],
  });
  if (row === undefined) return false;
  if (row.room > 2 * FAR_FROM_LIMIT) {
    if (counts().size >= MAX_COUNTED) counts().clear();
    counts().set(name, { plan: row.plan, until: startedAt + COUNT_HOLDS_MS });
  }
  return true;
}

/** The limits of the organization's plan, locked until the transaction ends. Throws 404. */
async function lockAllowances(tx: Transaction, organizationId: string, lock: "SHARE" | "NO KEY UPDATE") {
  const [row] = await queryIn<{ plan: string }>(tx, {
    text: `SELECT plan FROM organizations WHERE id = $1::uuid FOR ${lock}`,
    values: [organizationId],
  });
  if (row === undefined) throw notFound();
  return { plan: row.plan, ...allowances(row.plan) };
}

/**
 * The only check of plan limits, before `more` resources are added. Near the limit, concurrent additions to the organization wait until
 * the transaction ends. Existing resources beyond the limit stay. `pending` ones, which may still be added by invitations, count as used.
 * Throws 402, 404.
 */
export async function requireRoom(
  tx: Transaction,
  organizationId: string,
  noun: Counted,
  more: number,
  pending = 0,
): Promise<void> {
  if (more + pending === 1 && (await isFarFromLimit(tx, organizationId, noun))) return;
  const allowed = await lockAllowances(tx, organizationId, "NO KEY UPDATE");
  // A statement of its own: it sees what others committed before the lock.
  const [row] = await queryIn<{ used: number }>(tx, {
    text: `SELECT ${countOf(noun)} AS used FROM organizations o WHERE id = $1::uuid`,
    values: [organizationId],
  });
  const used = (row?.used ?? 0) + pending;
  const limit = limitOf(allowed.plan, noun);
  if (used + more <= limit) return;
  const invited = pending > 0 ? `, with ${plural(pending, "pending invitation")}` : "";
  const message = `The plan "${allowed.plan}" allows ${limit} ${wordsOf(noun)}; ${used} are in use${invited}.`;
  throw new ApiError("PLAN_LIMIT_REACHED", message, { limit, used });
}

/** The shortest time between two checks, in seconds, that the organization's plan allows. Throws 404. */
export async function shortestIntervalSeconds(organizationId: string): Promise<number> {
  const organization = await db().organization.findUnique({ where: { id: organizationId }, select: { plan: true } });
  if (organization === null) throw notFound();
  return allowances(organization.plan).shortestIntervalSeconds;
}

/** Rejects a shorter check interval than the plan allows. Throws 402, 404. */
export async function requireInterval(tx: Transaction, organizationId: string, seconds: number): Promise<void> {
  // Shared: after `requireRoom`, waiting for the exclusive lock could be a deadlock.
  const { plan, shortestIntervalSeconds: limit } = await lockAllowances(tx, organizationId, "SHARE");
  if (seconds >= limit) return;
  const message = `The plan "${plan}" allows a check every ${limit} seconds, not every ${seconds}.`;
  throw new ApiError("PLAN_LIMIT_REACHED", message, { limit, used: seconds });
}
