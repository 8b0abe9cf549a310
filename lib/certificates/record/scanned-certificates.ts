import type pg from "pg";
import type { StoredScan } from "@/lib/certificates/scan/judge-scan";

interface EndpointKey {
  organization_id: string;
  id: string;
}

/** The certificates that the scan of an endpoint found. */
interface Scanned {
  organization_id: string;
  endpoint_id: string;
  certificate_ids: string[];
}

/** What is to be written of a scan. One certificate alone is not: checks see it. */
export function scannedOf({ organization_id, id }: EndpointKey, scan: StoredScan | null): Scanned[] {
  if (scan === null) return [];
  const ids = scan.shown.certificates.map((certificate) => certificate.id);
  return [{ organization_id, endpoint_id: id, certificate_ids: ids.length > 1 ? ids : [] }];
}

/** Replaces the certificates that earlier scans of the endpoints found. */
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
     SELECT organization_id, endpoint_id, unnest(certificate_ids) FROM ${from} ON CONFLICT DO NOTHING`,
    values,
  );
}
