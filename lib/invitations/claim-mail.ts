import type { Transaction } from "@/lib/db/app";
import { newId } from "@/lib/ids";
import { canMail } from "@/lib/network/mail";
import { allowances } from "@/lib/plans";
import { DAY_MS, MINUTE_MS } from "@/lib/time/units";

/** Until an organization may send another mail to the same address, in minutes. */
const SAME_ADDRESS_MINUTES = 10;

/**
 * Whether the invitation may be sent by e-mail now, which then counts: an organization sends at most as many a day as its plan
 * allows members, and to one address at most one in 10 minutes. The caller has locked the organization.
 */
export async function claimMail(
  tx: Transaction,
  { id: organizationId, plan }: { id: string; plan: string },
  email: string,
  now: Date,
): Promise<boolean> {
  if (!canMail()) return false;
  const since = (ms: number) => ({ gt: new Date(now.getTime() - ms) });
  const inDay = await tx.invitationMail.count({ where: { organizationId, sentAt: since(DAY_MS) } });
  if (inDay >= allowances(plan).members) return false;
  const sentAt = since(SAME_ADDRESS_MINUTES * MINUTE_MS);
  if ((await tx.invitationMail.count({ where: { organizationId, email, sentAt } })) > 0) return false;
  await tx.invitationMail.create({ data: { organizationId, id: newId(), email, sentAt: now } });
  return true;
}
