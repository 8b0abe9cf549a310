import { createHash } from "node:crypto";
import type { AuditView } from "@/lib/audit-views/contract";
import { emailAfter, lastWeek, type Week } from "@/lib/audit-views/week";
import { weeklyEmail } from "@/lib/audit-views/weekly-email/email-text";
import { readWeek } from "@/lib/audit-views/weekly-email/read-week";
import { config } from "@/lib/config";
import { db, pool } from "@/lib/db/app";
import { isAway } from "@/lib/db/unavailable";
import { systemPrincipal } from "@/lib/http/principal";
import { fairLease, fairLeaseValues } from "@/lib/jobs/fair-lease";
import { runLeasedWork } from "@/lib/jobs/leased-work";
import { countDueTasks } from "@/lib/jobs/tasks";
import { log } from "@/lib/log";
import { canMail, concernsMail, isRefused, sendMail } from "@/lib/network/mail";

/** Seconds that a process has for an e-mail, and after which one that the mail server did not accept is tried again. */
const LEASE_SECONDS = 600;
/** Concurrent e-mails per process. */
const SLOTS = { total: 4, perOrganization: 2 };

interface Due {
  organizationId: string;
  viewId: string;
  userId: string;
  leasedUntil: Date;
}

const isDue = "e.next_at <= now() AND (e.leased_until IS NULL OR e.leased_until <= now())";

const DUE = `SELECT e.next_at AS due_at FROM audit_view_emails e WHERE e.organization_id = o.id AND ${isDue}`;

const LEASE = `WITH ${fairLease({
  isWaiting: `EXISTS (SELECT FROM audit_view_emails e WHERE e.organization_id = o.id AND ${isDue})`,
  candidates: (limit) => `SELECT e.organization_id, e.view_id, e.user_id, e.next_at AS due_at FROM audit_view_emails e
    WHERE e.organization_id = waiting.organization_id AND ${isDue} ORDER BY e.next_at ${limit} FOR UPDATE SKIP LOCKED`,
})}
  UPDATE audit_view_emails e SET leased_until = now() + make_interval(secs => $6)
  FROM due WHERE e.organization_id = due.organization_id AND e.view_id = due.view_id AND e.user_id = due.user_id
  RETURNING e.organization_id AS "organizationId", e.view_id AS "viewId", e.user_id AS "userId", e.leased_until AS "leasedUntil"`;

/**
 * Worker job: sends the weekly e-mails that are due. A lease divides them among several processes. An e-mail is about the last
 * whole week at the time it is sent, which `now` tells in Unix milliseconds; weeks that were missed are not sent later.
 */
export async function sendDueViewEmails(signal: AbortSignal, now: () => number = Date.now): Promise<void> {
  if (!canMail()) return;
  countDueTasks("weekly_email", DUE);
  const lease = async (most: number, running: readonly Due[]) => {
    const { rows } = await pool().query<Due>(LEASE, [...fairLeaseValues(most, running, SLOTS), LEASE_SECONDS]);
    return rows;
  };
  const work = async (due: Due) => {
    const week = lastWeek(now());
    const isDone = await sendOne(due, week).catch((error: unknown) => {
      if (signal.aborted || isAway(error)) throw error;
      // The view is too slow or no longer valid: the next attempt would fail as well.
      warn(due, error, "a weekly e-mail could not be written");
      return true;
    });
    return { due, week, isDone };
  };
  const write = async (results: readonly Awaited<ReturnType<typeof work>>[]) => {
    for (const { due, week, isDone } of results) if (isDone) await finish(due, emailAfter(week));
  };
  const idOf = ({ due }: { due: Due }) => due.viewId;
  await runLeasedWork({ what: "weekly e-mail", kind: "weekly_email", slots: SLOTS, lease, work, idOf, write }, signal);
}

/** Returns whether the e-mail is settled for this week: the mail server accepted or refused it, or nobody is to get it. */
async function sendOne(due: Due, week: Week): Promise<boolean> {
  const { organizationId, viewId, userId } = due;
  const found = await db().auditViewEmail.findUnique({
    where: { organizationId_viewId_userId: { organizationId, viewId, userId } },
    include: { view: { include: { organization: true } }, membership: { include: { user: true } } },
  });
  if (found === null) return true;
  const { view, membership } = found;
  const isVisible = view.ownerId === organizationId || view.ownerId === userId;
  const { deletionDueAt } = view.organization;
  const isKept = deletionDueAt === null || deletionDueAt > new Date();
  if (!isVisible || !isKept) return true;
  const query = view.query as AuditView["query"];
  const read = await readWeek(systemPrincipal(organizationId, "Sealwatch"), query, week);
  const { PUBLIC_URL } = config();
  const urls = { entries: `${PUBLIC_URL}/audit-logs?${weekOf(query, week)}`, views: `${PUBLIC_URL}/audit-logs` };
  const mail = weeklyEmail({ ...read, view: view.name, organization: view.organization.name, urls });
  // The same for every attempt in a week, so that mailboxes can detect duplicates.
  const id = createHash("sha256").update(`${viewId} ${userId} ${week.to}`).digest("hex").slice(0, 32);
  try {
    await sendMail({ to: [membership.user.email], ...mail, id });
    return true;
  } catch (error) {
    // What concerns every e-mail is logged as an outage of the mail server.
    if (concernsMail(error)) warn(due, error, "could not send a weekly e-mail");
    return isRefused(error);
  }
}

function warn({ organizationId, viewId }: Due, error: unknown, words: string): void {
  log.warn({ err: error, organization_id: organizationId, view_id: viewId }, words);
}

/** The parameters of the view in the dashboard, for a week. */
function weekOf(query: AuditView["query"], { from, to }: Week): URLSearchParams {
  const { range: _range, ...params } = query;
  const [since, until] = [new Date(from).toISOString(), new Date(to).toISOString()];
  return new URLSearchParams({ ...params, since, until });
}

async function finish({ organizationId, viewId, userId, leasedUntil }: Due, nextAt: number): Promise<void> {
  await pool().query(
    `UPDATE audit_view_emails SET leased_until = NULL, next_at = $5
     WHERE organization_id = $1 AND view_id = $2 AND user_id = $3 AND leased_until = $4`,
    [organizationId, viewId, userId, leasedUntil, new Date(nextAt)],
  );
}
