import { createHash } from "node:crypto";
import { config } from "@/lib/config";
import { db, pool } from "@/lib/db/app";
import { withTransaction } from "@/lib/db/connections";
import { lockClasses } from "@/lib/db/hold-lock";
import { logFailure } from "@/lib/db/outage-log";
import { NOBODY } from "@/lib/ids";
import { canMail, concernsMail, isRefused, sendMail } from "@/lib/network/mail";
import { oneLine } from "@/lib/text/one-line";

const BATCH_SIZE = 100;
/** Mails of one organization at a time. */
const MAIL_BATCH_SIZE = 20;

/**
 * Worker job: notifies every admin by e-mail that their organization will be deleted, and until when they can cancel.
 * Without an SMTP server only the dashboard's banner announces it. If no admin could be reached, the next run tries again, unless the
 * server refuses all their mails for good.
 */
export async function notifyDeletions(signal: AbortSignal): Promise<void> {
  if (!canMail()) return;
  for (let after: string | undefined = NOBODY; after !== undefined; ) {
    const due: { id: string }[] = await db().organization.findMany({
      where: { id: { gt: after }, deletionDueAt: { gt: new Date() }, deletionNotifiedAt: null },
      select: { id: true },
      orderBy: { id: "asc" },
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
    after = due.at(-1)?.id;
  }
}

async function notifyAdmins(id: string): Promise<void> {
  await withTransaction(pool(), async (client) => {
    // One of several workers sends, and holds the lock until it has noted that. After a crash, the next run sends again.
    const { rows } = await client.query<{ free: boolean }>(
      "SELECT pg_try_advisory_xact_lock($1, hashtext($2)) AS free",
      [lockClasses.deletionNotice | 0, id],
    );
    const organization = rows[0]?.free ? await readUnnotified(id) : null;
    if (organization === null) return;
    // PostgreSQL ends a transaction that is idle for a minute; a turn takes half of that at most.
    const { sent, failures } = await sendAll(organization, () => client.query("SELECT"));
    // Not for another request, made while the mails were sent.
    if (sent > 0 || failures.every(isRefused))
      await client.query(
        "UPDATE organizations SET deletion_notified_at = now() WHERE id = $1 AND deletion_requested_at = $2",
        [id, organization.deletionRequestedAt],
      );
    // What concerns every e-mail is logged as an outage of the mail server.
    for (const failure of failures.filter(concernsMail))
      logFailure("could not notify an admin of the deletion of an organization", failure, { organization_id: id });
  });
}

type Unnotified = NonNullable<Awaited<ReturnType<typeof readUnnotified>>>;

function readUnnotified(id: string) {
  return db().organization.findFirst({
    where: { id, deletionDueAt: { gt: new Date() }, deletionNotifiedAt: null },
    include: { memberships: { where: { permission: "admin" }, include: { user: true } } },
  });
}

/** Stops after a turn in which every mail failed: the server is unavailable, and the transaction may not take long. */
async function sendAll(
  organization: Unnotified,
  afterTurn: () => Promise<unknown>,
): Promise<{ sent: number; failures: unknown[] }> {
  const { id, name, deletionDueAt, deletionRequestedAt, deletionRequestedBy, memberships } = organization;
  const text = `${oneLine(deletionRequestedBy ?? "")} requested the deletion of the organization "${oneLine(name)}" on Sealwatch.

All its data will be permanently deleted on ${deletionDueAt?.toISOString()}. Until then any admin can cancel the deletion:
${config().PUBLIC_URL}/organization
`;
  let sent = 0;
  const failures: unknown[] = [];
  for (let from = 0; from < memberships.length; from += MAIL_BATCH_SIZE) {
    const mails = memberships.slice(from, from + MAIL_BATCH_SIZE).map(({ user }) => {
      // The same for every attempt, so that mailboxes can detect duplicates.
      const mail = createHash("sha256").update(`${id} ${user.id} ${deletionRequestedAt?.toISOString()}`).digest("hex");
      return sendMail({
        to: [user.email],
        subject: `${oneLine(name)} will be deleted from Sealwatch`,
        text,
        id: mail.slice(0, 32),
      });
    });
    const outcomes = await Promise.allSettled(mails);
    await afterTurn();
    const failed = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
    failures.push(...failed);
    sent += mails.length - failed.length;
    if (failed.length === mails.length && !failed.every(isRefused)) break;
  }
  return { sent, failures };
}
