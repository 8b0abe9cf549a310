import { config } from "@/lib/config";
import { db } from "@/lib/db/app";
import { logFailure } from "@/lib/db/outage-log";
import { newId } from "@/lib/ids";
import { canMail, sendMail } from "@/lib/network/mail";

const BATCH_SIZE = 100;

/**
 * The worker's job: notifies every admin by e-mail that their organization will be deleted, and until when they can cancel.
 * Without an SMTP server only the dashboard's banner announces it. If no admin could be reached, the next run tries again.
 */
export async function notifyDeletions(signal: AbortSignal): Promise<void> {
  if (!canMail()) return;
  const due = await db().organization.findMany({
    where: { deletionDueAt: { gt: new Date() }, deletionNotifiedAt: null },
    select: { id: true },
    take: BATCH_SIZE,
  });
  for (const { id } of due) {
    if (signal.aborted) return;
    try {
      await notifyAdmins(id);
    } catch (error) {
      logFailure("could not notify an organization's admins of its deletion", error, { organization_id: id });
    }
  }
}

async function notifyAdmins(id: string): Promise<void> {
  const notifiedAt = new Date();
  // Claimed before sending, so that only one of several workers sends.
  const { count } = await db().organization.updateMany({
    where: { id, deletionDueAt: { gt: notifiedAt }, deletionNotifiedAt: null },
    data: { deletionNotifiedAt: notifiedAt },
  });
  if (count === 0) return;
  const { name, deletionDueAt, deletionRequestedBy, memberships } = await db().organization.findUniqueOrThrow({
    where: { id },
    include: { memberships: { where: { permission: "admin" }, include: { user: true } } },
  });
  const text = `${deletionRequestedBy} requested the deletion of the organization "${name}" on Sealwatch.

All its data will be permanently deleted on ${deletionDueAt?.toISOString()}. Until then any admin can cancel the deletion:
${config().PUBLIC_URL}/organization
`;
  let failure: unknown = null;
  let sent = 0;
  for (const { user } of memberships) {
    try {
      await sendMail({ to: [user.email], subject: `${name} will be deleted from Sealwatch`, text, id: newId() });
      sent += 1;
    } catch (error) {
      failure = error;
    }
  }
  if (failure === null) return;
  if (sent === 0) {
    const claimed = { id, deletionNotifiedAt: notifiedAt };
    await db().organization.updateMany({ where: claimed, data: { deletionNotifiedAt: null } });
  }
  throw failure;
}
