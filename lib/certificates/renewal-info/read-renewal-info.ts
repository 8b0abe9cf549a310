import type { RenewalInfo } from "@/lib/certificates/renewal-contract";
import type { StoredFollowed } from "@/lib/certificates/renewal-info/stored-window";
import { db } from "@/lib/db/app";

/** The renewal information that a certificate's authority publishes; null if the authority has no known directory. */
export async function readRenewalInfo(organizationId: string, certificateId: string): Promise<RenewalInfo> {
  const row = await db().certificateRenewal.findUnique({
    where: { organizationId_id: { organizationId, id: certificateId } },
  });
  if (row === null || row.directory === null) return null;
  const followed = row.followed as StoredFollowed | null;
  return {
    directory: row.directory,
    window: followed?.window ?? null,
    explanation_url: row.explanationUrl,
    moved: followed?.moved ? { from: followed.moved.from, at: followed.moved.at } : null,
    asked_at: row.askedAt?.toISOString() ?? null,
    answered_at: row.answeredAt?.toISOString() ?? null,
    next_ask_at: row.nextCheckAt.toISOString(),
    error: row.error,
  };
}
