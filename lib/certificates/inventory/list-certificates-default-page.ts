import { type CertificateRow, toCertificateSummary } from "@/lib/certificates/certificate";
import type * as contract from "@/lib/certificates/contract";
import { joinServing, SERVING, type ServingRow, toServing } from "@/lib/certificates/inventory/serving";
import { pool } from "@/lib/db/app";
import { coalesce } from "@/lib/db/coalesce";
import { groupBy } from "@/lib/group-by";
import { processSingleton } from "@/lib/process-singleton";

/** A page of an organization's certificates: those discovered before the certificate `after`, or the newest. */
interface Wanted {
  organizationId: string;
  after: string | null;
  size: number;
}

const SQL = `
SELECT wanted.number::integer, c.*, ${SERVING} FROM unnest((SELECT $1::uuid[]), (SELECT $2::uuid[]), (SELECT $3::integer[])) WITH ORDINALITY
  AS wanted (organization_id, after, size, number)
CROSS JOIN LATERAL (
  SELECT id, sha256, subject, common_name AS "commonName", issuer, serial_number AS "serialNumber", sans,
    not_before AS "notBefore", not_after AS "notAfter", key_type AS "keyType", key_bits AS "keyBits",
    signature_algorithm AS "signatureAlgorithm", is_ca AS "isCa", served_first AS "servedFirst",
    first_seen_at AS "firstSeenAt", public_key_sha256 AS "publicKeySha256", added_at AS "addedAt", obtained_at AS "obtainedAt", key_usages AS "keyUsages",
    extended_key_usages AS "extendedKeyUsages", is_usage_known AS "isUsageKnown"
  FROM certificates
  WHERE organization_id = wanted.organization_id AND (served_first OR added_at IS NOT NULL)
    AND id < coalesce(wanted.after, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
  ORDER BY id DESC LIMIT wanted.size
) AS c ${joinServing("c.id")}
ORDER BY wanted.number, c.id DESC`;

const keyOf = ({ organizationId, after, size }: Wanted) => `${organizationId} ${after} ${size}`;

/** The most requested page: no filters, newest first. Concurrent requests share one statement. */
export function readDefaultPage(wanted: Wanted): Promise<contract.Certificate[]> {
  const read = processSingleton("certificates.newest", () =>
    coalesce<Wanted, contract.Certificate[]>(async (all) => {
      const pages = [...groupBy(all, keyOf)].flatMap(([key, [page]]) => (page ? [{ key, ...page }] : []));
      const { rows } = await pool().query<CertificateRow & ServingRow & { number: number }>({
        name: "newest-certificates",
        text: SQL,
        values: [
          pages.map(({ organizationId }) => organizationId),
          pages.map(({ after }) => after),
          pages.map(({ size }) => size),
        ],
      });
      const found = groupBy(rows, ({ number }) => pages[number - 1]?.key);
      const items = new Map(
        [...found].map(([key, own]) => [key, own.map((row) => ({ ...toCertificateSummary(row), ...toServing(row) }))]),
      );
      return (page) => items.get(keyOf(page)) ?? [];
    }),
  );
  return read(wanted);
}
