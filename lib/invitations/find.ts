import { db } from "@/lib/db/app";
import { hashToken } from "@/lib/tokens";

/** The invitation of a link, with its organization; null if it expired or was withdrawn, replaced or accepted. */
export async function findInvitation(token: string) {
  const row = await db().invitation.findUnique({
    where: { tokenHash: hashToken(token) },
    include: { organization: true },
  });
  return row === null || row.expiresAt.getTime() <= Date.now() ? null : row;
}
