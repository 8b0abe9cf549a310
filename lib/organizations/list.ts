import { db } from "@/lib/db/app";
import type { Organization } from "@/lib/db/generated/app/client";

/** Every organization, oldest first: for the operator. */
export async function listOrganizations(): Promise<Organization[]> {
  return db().organization.findMany({ orderBy: { id: "asc" } });
}

/** The organization an operator means by id or slug, or null. */
export async function findOrganization(idOrSlug: string): Promise<Organization | null> {
  const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(idOrSlug);
  return db().organization.findFirst({ where: isId ? { id: idOrSlug } : { slug: idOrSlug } });
}
