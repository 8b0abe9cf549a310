import { createHash } from "node:crypto";
import type pg from "pg";
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
/** After the server refused the mail of an admin for now. They are tried until their organization is due. */
const PAUSE = "1 hour";

/** Organizations with admins to notify: all of them, or those who could not be reached before. */
const HAS_UNNOTIFIED = `deletion_due_at > now() AND (deletion_notified_at IS NULL OR EXISTS (SELECT FROM memberships m
  WHERE m.organization_id = organizations.id AND m.permission = 'admin' AND m.deletion_notice_due_at <= now()))`;

/**
 * Worker job: notifies every admin by e-mail that their organization will be deleted, and until when they can cancel.
 * Without an SMTP server only the dashboard's banner announces it. An admin whose mail the server refuses for now is tried again later,
 * and those whom an outage of the server kept from their mail in the next run.
 */
export async function notifyDeletions(signal: AbortSignal): Promise<void> {
  if (!canMail()) return;
  for (let after: string | undefined = NOBODY; after !== undefined; ) {
    const { rows: due }: { rows: { id: string }[] } = await pool().query(
      `SELECT id FROM organizations WHERE id > $1 AND ${HAS_UNNOTIFIED} ORDER BY id LIMIT ${BATCH_SIZE}`,
      [after],
    );
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
    const outcomes = await sendAll(organization, () => client.query("SELECT"));
    await note(client, organization, outcomes);
    // What concerns every e-mail is logged as an outage of the mail server.
    for (const failure of outcomes.values())
      if (failure !== null && concernsMail(failure))
        logFailure("could not notify an admin of the deletion of an organization", failure, { organization_id: id });
  });
}

type Unnotified = NonNullable<Awaited<ReturnType<typeof readUnnotified>>>;

/** The organization with the admins to notify; null if there is nothing to do. */
async function readUnnotified(id: string) {
  const now = new Date();
  const organization = await db().organization.findFirst({
    where: { id, deletionDueAt: { gt: now } },
    include: { memberships: { where: { permission: "admin" }, include: { user: true } } },
  });
  if (organization === null || organization.deletionNotifiedAt === null) return organization;
  const memberships = organization.memberships.filter(({ deletionNoticeDueAt: due }) => due !== null && due <= now);
  return memberships.length === 0 ? null : { ...organization, memberships };
}

/** By user: null if the mail was accepted, else how it failed. It lacks those who were not tried. */
type Outcomes = ReadonlyMap<string, unknown>;

/** Stops after a turn in which every mail failed: the server is unavailable, and the transaction may not take long. */
async function sendAll(organization: Unnotified, afterTurn: () => Promise<unknown>): Promise<Outcomes> {
  const { id, name, deletionDueAt, deletionRequestedAt, deletionRequestedBy, memberships } = organization;
  const text = `${oneLine(deletionRequestedBy ?? "")} requested the deletion of the organization "${oneLine(name)}" on Sealwatch.

All its data will be permanently deleted on ${deletionDueAt?.toISOString()}. Until then any admin can cancel the deletion:
${config().PUBLIC_URL}/organization
`;
  const outcomes = new Map<string, unknown>();
  for (let from = 0; from < memberships.length; from += MAIL_BATCH_SIZE) {
    const turn = memberships.slice(from, from + MAIL_BATCH_SIZE);
    const mails = turn.map(({ user }) => {
      // The same for every attempt, so that mailboxes can detect duplicates.
      const mail = createHash("sha256").update(`${id} ${user.id} ${deletionRequestedAt?.toISOString()}`).digest("hex");
      return sendMail({
        to: [user.email],
        subject: `${oneLine(name)} will be deleted from Sealwatch`,
        text,
        id: mail.slice(0, 32),
      });
    });
    const ended = await Promise.allSettled(mails);
    await afterTurn();
    const failures = ended.map((each) => (each.status === "rejected" ? each.reason : null));
    for (const [index, { userId }] of turn.entries()) outcomes.set(userId, failures[index]);
    if (failures.every((failure) => failure !== null) && !failures.every(isRefused)) break;
  }
  return outcomes;
}

/**
 * Notes who is to be notified later. Notes nothing, so that all are tried in the next run, if the mail server was away for all, or if
 * the deletion was requested anew while the mails were sent.
 */
async function note(
  client: pg.ClientBase,
  { id, deletionRequestedAt, memberships }: Unnotified,
  outcomes: Outcomes,
): Promise<void> {
  const admins = memberships.map(({ userId }) => userId);
  const tried = [...outcomes].filter(([, failure]) => failure === null || concernsMail(failure));
  if (tried.length === 0 && admins.length > 0) return;
  const later = tried.filter(([, failure]) => failure !== null && !isRefused(failure));
  const { rowCount } = await client.query(
    "UPDATE organizations SET deletion_notified_at = now() WHERE id = $1 AND deletion_requested_at = $2",
    [id, deletionRequestedAt],
  );
  if (rowCount === 0) return;
  await client.query(
    `UPDATE memberships SET deletion_notice_due_at = CASE WHEN user_id = ANY ($3::uuid[]) THEN now() + interval '${PAUSE}'
       WHEN NOT user_id = ANY ($4::uuid[]) THEN now() END
     WHERE organization_id = $1 AND user_id = ANY ($2::uuid[])`,
    [id, admins, later.map(([admin]) => admin), tried.map(([admin]) => admin)],
  );
}
