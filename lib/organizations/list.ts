import { db } from "@/lib/db/app";
import type { Organization } from "@/lib/db/generated/app/client";
import { decodeIdCursor, encodeCursor } from "@/lib/http/cursor";
import type { Input, Output } from "@/lib/http/endpoint";
import type { Permission, Principal } from "@/lib/http/principal";
import type * as contract from "@/lib/organizations/contract";
import { toOrganization } from "@/lib/organizations/organization";
import { isUuid } from "@/lib/text/shapes/uuid";

const FILTERS = "organizations";

/** A person's organizations, newest first; for a key, its own. */
export async function listOrganizations(
  principal: Principal,
  { limit, cursor }: Input<typeof contract.listOrganizations>,
): Promise<Output<typeof contract.listOrganizations>> {
  const after = decodeIdCursor(cursor, FILTERS);
  const rows = await seenBy(principal, after, limit + 1);
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return {
    items: items.map(({ organization, permission }) => toOrganization(organization, permission)),
    nextCursor: rows.length > limit && last ? encodeCursor([last.organization.id], FILTERS) : null,
  };
}

async function seenBy({ organizationId, permission, actor }: Principal, after: string | null, take: number) {
  const older = after === null ? {} : { lt: after };
  if (actor.type === "user") {
    const rows = await db().membership.findMany({
      where: { userId: actor.id, organizationId: older },
      orderBy: { organizationId: "desc" },
      include: { organization: true },
      take,
    });
    return rows.map((row) => ({ organization: row.organization, permission: row.permission as Permission }));
  }
  const own = await db().organization.findMany({ where: { AND: [{ id: organizationId }, { id: older }] } });
  return own.map((organization) => ({ organization, permission }));
}

/** Every organization, oldest first, for the operator. */
export async function listAllOrganizations(): Promise<Organization[]> {
  return db().organization.findMany({ orderBy: { id: "asc" } });
}

/** The organization with this id or slug, or null. */
export async function findOrganization(idOrSlug: string): Promise<Organization | null> {
  const isId = isUuid(idOrSlug);
  return db().organization.findFirst({ where: isId ? { id: idOrSlug } : { slug: idOrSlug } });
}
