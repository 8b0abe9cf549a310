import type pg from "pg";
import type { KnownWindow } from "@/lib/certificates/issuance/renewal-window";
import { canRequestRenewalInfo, directoryOf } from "@/lib/certificates/renewal-info/directories";
import { fromStored, type StoredFollowed } from "@/lib/certificates/renewal-info/stored-window";
import type { Certificate } from "@/lib/certificates/x509/x509";
import { config } from "@/lib/config";

/** A certificate that an endpoint serves. */
interface ServedLeaf {
  organizationId: string;
  certificateId: string;
  leaf: Certificate;
  /** Whether it has a path to a public root, whatever the organization trusts. */
  leadsToPublicRoot: () => boolean;
}

interface Row {
  organization_id: string;
  id: string;
  followed: StoredFollowed | null;
  explanation_url: string | null;
}

const keyOf = (organizationId: string, id: string) => `${organizationId} ${id}`;

const columnsOf = (leaves: readonly ServedLeaf[]) => [
  leaves.map(({ organizationId }) => organizationId),
  leaves.map(({ certificateId }) => certificateId),
];

/** Registers these certificates for regular requests to their authorities. */
async function ask(client: pg.ClientBase, leaves: readonly ServedLeaf[]): Promise<void> {
  if (leaves.length === 0) return;
  await client.query(
    `INSERT INTO certificate_renewals (organization_id, id, next_check_at)
     SELECT DISTINCT organization_id, id, now() FROM unnest($1::uuid[], $2::uuid[]) AS served (organization_id, id)
     ORDER BY organization_id, id
     ON CONFLICT (organization_id, id) DO NOTHING`,
    columnsOf(leaves),
  );
}

/**
 * For each certificate, when its authority suggests renewing it; null if that is not known. Authorities that have a directory but
 * were not asked yet will be asked, if the certificate really is theirs.
 */
export async function readRenewals(
  client: pg.ClientBase,
  served: readonly ServedLeaf[],
): Promise<(KnownWindow | null)[]> {
  const own = config().ACME_DIRECTORIES;
  const asked = served.filter(({ leaf }) => !leaf.isCa && directoryOf(leaf.issuer, own) !== null);
  if (asked.length === 0) return served.map(() => null);
  const { rows } = await client.query<Row>(
    `SELECT r.organization_id, r.id, r.followed, r.explanation_url
     FROM (SELECT DISTINCT * FROM unnest($1::uuid[], $2::uuid[]) AS served (organization_id, id)) AS served
     JOIN certificate_renewals r ON r.organization_id = served.organization_id AND r.id = served.id`,
    columnsOf(asked),
  );
  const byKey = new Map(rows.map((row) => [keyOf(row.organization_id, row.id), row]));
  await ask(
    client,
    asked.filter(
      ({ organizationId, certificateId, leaf, leadsToPublicRoot }) =>
        !byKey.has(keyOf(organizationId, certificateId)) && canRequestRenewalInfo(leaf.issuer, own, leadsToPublicRoot),
    ),
  );
  return served.map(({ organizationId, certificateId, leaf }) => {
    const row = byKey.get(keyOf(organizationId, certificateId));
    if (!row?.followed) return null;
    const { window, moved } = fromStored(row.followed);
    return { sha256: leaf.sha256, window, moved, explanationUrl: row.explanation_url };
  });
}
