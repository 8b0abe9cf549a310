import type pg from "pg";
import type { Known, NextRow, Observed } from "@/lib/certificates/record/record-endpoints";

/** The certificates that an endpoint has beside each other. */
interface Scanned {
  organization_id: string;
  endpoint_id: string;
  certificate_ids: string[];
}

const idsOf = (observed: readonly Observed[]) => new Set(observed.flatMap(({ certificate_id: id }) => id ?? []));

const isFailure = ({ certificate_id: id }: Observed) => id === null;

/** What the addresses that fail now served in the check before: as a failure of theirs, it counts only if the next check confirms it. */
function servedBefore(row: readonly Observed[], next: readonly Observed[]): Observed[] {
  const failed = new Set(next.filter(isFailure).map(({ address }) => address));
  return row.filter(({ address }) => failed.has(address));
}

/**
 * What is to be written of a check, if anything may have changed: what its scan, or the last one of these certificates, found, and what
 * the addresses of the host serve, or served in the check before if they fail now. One certificate alone is not written: checks see it.
 */
export function scannedOf(
  row: Pick<Known, "organization_id" | "id" | "observed" | "tls_scan">,
  next: Pick<NextRow, "observed" | "tls_scan">,
): Scanned[] {
  if (next.observed === null) return [];
  const observed = idsOf([...next.observed, ...servedBefore(row.observed, next.observed)]);
  // After a failure, what its address served before may be written still.
  const hadOthers = idsOf(row.observed).size > 1 || row.observed.some(isFailure);
  if (next.tls_scan === null && observed.size < 2 && !hadOthers) return [];
  const ofScan = (next.tls_scan ?? row.tls_scan)?.shown.certificates.map(({ id }) => id) ?? [];
  const isCurrent = next.tls_scan !== null || ofScan.some((id) => observed.has(id));
  const ids = [...new Set([...observed, ...(isCurrent ? ofScan : [])])];
  return [{ organization_id: row.organization_id, endpoint_id: row.id, certificate_ids: ids.length > 1 ? ids : [] }];
}

/** Replaces the certificates that were written for the endpoints before. */
export async function writeScanned(client: pg.ClientBase, rows: readonly Scanned[]): Promise<void> {
  if (rows.length === 0) return;
  const values = [JSON.stringify(rows)];
  const from = "jsonb_to_recordset($1) AS new (organization_id uuid, endpoint_id uuid, certificate_ids uuid[])";
  await client.query(
    `DELETE FROM scanned_certificates s USING ${from}
     WHERE s.organization_id = new.organization_id AND s.endpoint_id = new.endpoint_id
       AND s.certificate_id <> ALL (new.certificate_ids)`,
    values,
  );
  await client.query(
    `INSERT INTO scanned_certificates (organization_id, endpoint_id, certificate_id)
     SELECT new.organization_id, new.endpoint_id, c.id
     FROM ${from} JOIN certificates c ON c.organization_id = new.organization_id AND c.id = ANY (new.certificate_ids)
     ON CONFLICT DO NOTHING`,
    values,
  );
}
