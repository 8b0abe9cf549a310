import { nextEmailAt } from "@/lib/audit-views/week";
import type { Transaction } from "@/lib/db/app";
import { ApiError, invalid, notFound } from "@/lib/http/errors";
import type { Principal } from "@/lib/http/principal";
import { canMail } from "@/lib/network/mail";

/** Maximum number of views that one person receives by e-mail, per organization. */
const MAX_VIEWS = 20;

/**
 * Sets whether the calling person gets a weekly e-mail about a view. Throws 400 for other callers and without an SMTP server, 404, and
 * 409 if the person gets too many.
 */
export async function setWeeklyEmail(
  tx: Transaction,
  { organizationId, actor }: Principal,
  viewId: string,
  isWanted: boolean,
): Promise<void> {
  if (actor.type !== "user") {
    if (isWanted) throw invalid("weekly_email", "must be false, because only people get e-mails");
    return;
  }
  const mine = { organizationId, userId: actor.id };
  if (!isWanted) {
    await tx.auditViewEmail.deleteMany({ where: { ...mine, viewId } });
    return;
  }
  if (!canMail()) throw invalid("weekly_email", "must be false: this installation has no SMTP server (SMTP_URL)");
  const locked = await tx.$queryRaw<object[]>`
    SELECT FROM audit_views WHERE organization_id = ${organizationId}::uuid AND id = ${viewId}::uuid FOR SHARE`;
  if (locked.length === 0) throw notFound();
  // Other views of the same person wait here, so that the count stays true.
  await tx.$executeRaw`SELECT FROM memberships
    WHERE organization_id = ${organizationId}::uuid AND user_id = ${actor.id}::uuid FOR NO KEY UPDATE`;
  const others = await tx.auditViewEmail.count({ where: { ...mine, viewId: { not: viewId } } });
  if (others >= MAX_VIEWS) throw new ApiError("CONFLICT", `A person gets e-mails about at most ${MAX_VIEWS} views.`);
  const nextAt = new Date(nextEmailAt(Date.now()));
  await tx.auditViewEmail.createMany({ data: [{ ...mine, viewId, nextAt }], skipDuplicates: true });
}

/** Deletes the weekly e-mails of everybody but the caller, who becomes the owner of the view. */
export async function stopEmailsOfOthers(tx: Transaction, principal: Principal, viewId: string): Promise<void> {
  const { organizationId, actor } = principal;
  const others = actor.type === "user" ? { userId: { not: actor.id } } : {};
  await tx.auditViewEmail.deleteMany({ where: { organizationId, viewId, ...others } });
}
