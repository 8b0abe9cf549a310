import type { Input, Output } from "@/lib/api/endpoint";
import { notFound } from "@/lib/api/errors";
import { toAuditView, visibleTo } from "@/lib/audit-views/audit-view";
import type * as contract from "@/lib/audit-views/contract";
import type { Principal } from "@/lib/auth/principal";
import { db } from "@/lib/db/app";

/** One view. Throws 404, also for somebody else's. */
export async function getAuditView(
  principal: Principal,
  { id }: Input<typeof contract.getAuditView>,
): Promise<Output<typeof contract.getAuditView>> {
  const row = await db().auditView.findFirst({ where: { ...visibleTo(principal), id } });
  if (row === null) throw notFound();
  return toAuditView(row);
}
