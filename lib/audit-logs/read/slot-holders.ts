import { pool } from "@/lib/db/app";
import { CREATOR_OR_SUCCESSOR } from "@/lib/jobs/creator-or-successor";

/** The most slots of an organization, and of a person in all the organizations that count for them (CREATOR_OR_SUCCESSOR). */
interface Most {
  organization: number;
  creator: number;
}

/** The holders of an organization's slot, with the most slots of each. A person can create many organizations. */
export async function slotHolders(organizationId: string, most: Most): Promise<Record<string, number>> {
  const { rows } = await pool().query<{ creator: string | null }>({
    name: "organization-creator",
    text: `SELECT ${CREATOR_OR_SUCCESSOR} AS creator FROM organizations o WHERE o.id = $1`,
    values: [organizationId],
  });
  const creator = rows[0]?.creator ?? null;
  return { [organizationId]: most.organization, ...(creator !== null && { [creator]: most.creator }) };
}
