import { pool } from "@/lib/db/app";

/** The most slots of an organization, and of the person who created it in all the organizations that they created. */
interface Most {
  organization: number;
  creator: number;
}

/**
 * The holders of an organization's slot, with the most slots of each. A person can create many organizations. The creator counts only
 * while a member: nobody blocks organizations that they have left to others.
 */
export async function slotHolders(organizationId: string, most: Most): Promise<Record<string, number>> {
  const { rows } = await pool().query<{ createdBy: string }>({
    name: "organization-creator",
    text: `SELECT m.user_id AS "createdBy" FROM organizations o
      JOIN memberships m ON m.organization_id = o.id AND m.user_id = o.created_by WHERE o.id = $1`,
    values: [organizationId],
  });
  const creator = rows[0]?.createdBy;
  return { [organizationId]: most.organization, ...(creator !== undefined && { [creator]: most.creator }) };
}
