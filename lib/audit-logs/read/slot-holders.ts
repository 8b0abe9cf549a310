import { pool } from "@/lib/db/app";

/** The most slots of an organization, and of the person who created it in all the organizations that they created. */
interface Most {
  organization: number;
  creator: number;
}

/** The holders of an organization's slot, with the most slots of each. A person can create many organizations. */
export async function slotHolders(organizationId: string, most: Most): Promise<Record<string, number>> {
  const { rows } = await pool().query<{ createdBy: string | null }>({
    name: "organization-creator",
    text: `SELECT created_by AS "createdBy" FROM organizations WHERE id = $1`,
    values: [organizationId],
  });
  const creator = rows[0]?.createdBy ?? null;
  return { [organizationId]: most.organization, ...(creator !== null && { [creator]: most.creator }) };
}
