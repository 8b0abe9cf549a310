import { config } from "@/lib/config";
import { db } from "@/lib/db/app";
import { logFailure } from "@/lib/db/outage-log";
import { newId } from "@/lib/ids";
import { canMail, sendMail } from "@/lib/network/mail";

const BATCH_SIZE = 100;

/**
 * The worker's job: tells every admin by e-mail that their organization is to be deleted, and until when that can be taken back. Where
 * there is no SMTP server only the dashboard's banner does. When no admin could be reached it is tried again.
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
      logFailure("an organization's admins could not be told of its deletion", error, { organization_id: id });
    }
  }
}

async function notifyAdmins(id: string): Promise<void> {
  const notifiedAt = new Date();
  // Claimed first: of several workers one sends.
  const { count } = await db().organization.updateMany({
    where: { id, deletionDueAt: { gt: notifiedAt }, deletionNotifiedAt: null },
    data: { deletionNotifiedAt: notifiedAt },
  });
  if (count === 0) return;
  const { name, deletionDueAt, deletionRequestedBy, memberships } = await db().organization.findUniqueOrThrow({
    where: { id },
    include: { memberships: { where: { permission: "admin" }, include: { user: true } } },
  });
  const text = `${deletionRequestedBy} asked for the deletion of the organization "${name}" on Sealwatch.

Everything it has is deleted for good on ${deletionDueAt?.toISOString()}. Until then any admin can keep it:
${config().PUBLIC_URL}/organization
`;
  let failure: unknown = null;
  let sent = 0;
  for (const { user } of memberships) {
    try {
      await sendMail({ to: [user.email], subject: `${name} is to be deleted from Sealwatch`, text, id: newId() });
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
