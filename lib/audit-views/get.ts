import { toAuditView, visibleTo, withOwnEmail } from "@/lib/audit-views/audit-view";
import type * as contract from "@/lib/audit-views/contract";
import { db } from "@/lib/db/app";
import type { Input, Output } from "@/lib/http/endpoint";
import { notFound } from "@/lib/http/errors";
import type { Principal } from "@/lib/http/principal";

/** Returns a view. Throws 404, also for personal views of others. */
export async function getAuditView(
  principal: Principal,
  { id }: Input<typeof contract.getAuditView>,
): Promise<Output<typeof contract.getAuditView>> {
  const row = await db().auditView.findFirst({
    where: { ...visibleTo(principal), id },
    include: withOwnEmail(principal),
  });
  if (row === null) throw notFound();
  return toAuditView(row);
}
