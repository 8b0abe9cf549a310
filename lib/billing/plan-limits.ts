import { queryIn, type Transaction } from "@/lib/db/app";
import { ApiError, notFound } from "@/lib/http/errors";
import { allowances, type Limited, limited } from "@/lib/plans";

/** Limited resources and how they are counted. A revoked key stays on record and does not count. */
const counters = {
  certificate_endpoints: (tx, organizationId) => tx.certificateEndpoint.count({ where: { organizationId } }),
  monitors: (tx, organizationId) => tx.uptimeMonitor.count({ where: { organizationId } }),
  domains: (tx, organizationId) => tx.domain.count({ where: { organizationId } }),
  members: (tx, organizationId) => tx.membership.count({ where: { organizationId } }),
  api_keys: (tx, organizationId) => tx.apiKey.count({ where: { organizationId, revokedAt: null } }),
  destinations: (tx, organizationId) => tx.destination.count({ where: { organizationId } }),
} as const satisfies Record<Limited, (tx: Transaction, organizationId: string) => Promise<number>>;

/** The number of each limited resource that the organization has. */
export async function usage(tx: Transaction, organizationId: string): Promise<Record<Limited, number>> {
  const counts = await Promise.all(limited.map((noun) => counters[noun](tx, organizationId)));
  return Object.fromEntries(limited.map((noun, index) => [noun, counts[index]])) as Record<Limited, number>;
}

/** The limits of the organization's plan, locked until the transaction ends: concurrent additions wait. Throws 404. */
async function lockAllowances(tx: Transaction, organizationId: string) {
  const [row] = await queryIn<{ plan: string }>(tx, {
    text: "SELECT plan FROM organizations WHERE id = $1::uuid FOR NO KEY UPDATE",
    values: [organizationId],
  });
  if (row === undefined) throw notFound();
  return { plan: row.plan, ...allowances(row.plan) };
}

/** The only check of plan limits, before `more` resources are added. Existing resources beyond it stay. Throws 402, 404. */
export async function requireRoom(tx: Transaction, organizationId: string, noun: Limited, more: number): Promise<void> {
  const allowed = await lockAllowances(tx, organizationId);
  const used = await counters[noun](tx, organizationId);
  const limit = allowed[noun];
  if (used + more <= limit) return;
  const message = `The plan "${allowed.plan}" allows ${limit} ${noun.replace("_", " ")}; ${used} are in use.`;
  throw new ApiError("PLAN_LIMIT_REACHED", message, { limit, used });
}

/** Rejects a shorter check interval than the plan allows. Throws 402, 404. */
export async function requireInterval(tx: Transaction, organizationId: string, seconds: number): Promise<void> {
  const { plan, shortestIntervalSeconds: limit } = await lockAllowances(tx, organizationId);
  if (seconds >= limit) return;
  const message = `The plan "${plan}" allows a check every ${limit} seconds, not every ${seconds}.`;
  throw new ApiError("PLAN_LIMIT_REACHED", message, { limit, used: seconds });
}
