import { db } from "@/lib/db/app";
import type { Input, Output } from "@/lib/http/endpoint";
import { notFound } from "@/lib/http/errors";
import type { Principal } from "@/lib/http/principal";
import type * as contract from "@/lib/organizations/contract";
import { requireOwn, toOrganization } from "@/lib/organizations/organization";

/** The caller's organization. Throws 404. */
export async function getOrganization(
  principal: Principal,
  { id }: Input<typeof contract.getOrganization>,
): Promise<Output<typeof contract.getOrganization>> {
  requireOwn(principal, id);
  const row = await db().organization.findUnique({ where: { id } });
  if (row === null) throw notFound();
  return toOrganization(row, principal.permission);
}
