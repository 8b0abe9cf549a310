import type pg from "pg";
import { type Newer, nameTexts } from "@/lib/certificates/judge/judge-renewal";
import type { Certificate } from "@/lib/certificates/x509/x509";

interface Row extends Newer {
  at: number;
}

interface ServedLeaf {
  organizationId: string;
  leaf: Certificate;
  /** The key types of all certificates that its server has, if they are known. */
  keyTypes: readonly string[];
}

/**
 * For each leaf, the organization's certificate with the latest expiry that has all its names and starts and ends later. A key type for
 * which its server has another certificate does not count: that certificate is renewed apart.
 */
export async function readNewer(client: pg.ClientBase, leaves: readonly ServedLeaf[]): Promise<(Newer | null)[]> {
  const wanted = leaves.flatMap(({ organizationId: o, leaf, keyTypes }, at) => {
    const names = nameTexts(leaf);
    const other_types = keyTypes.filter((type) => type !== leaf.keyType);
    return names.length === 0 ? [] : [{ at, o, names, other_types, from: leaf.notBefore, until: leaf.notAfter }];
  });
  if (wanted.length === 0) return leaves.map(() => null);
  const { rows } = await client.query<Row>(
    `SELECT wanted.at, newer.*
     FROM jsonb_to_recordset($1) AS wanted (at integer, o uuid, names text[], other_types text[], "from" timestamptz, until timestamptz)
     CROSS JOIN LATERAL (
       SELECT c.id, encode(c.sha256, 'hex') AS sha256, c.not_before AS "notBefore", c.not_after AS "notAfter",
         c.first_seen_at AS "firstSeenAt"
       FROM certificates c
       WHERE c.organization_id = wanted.o AND c.sans @> wanted.names AND c.not_before > wanted."from"
         AND c.not_after > wanted.until AND c.key_type <> ALL (wanted.other_types) AND NOT c.is_ca
       ORDER BY c.not_after DESC LIMIT 1
     ) AS newer`,
    [JSON.stringify(wanted)],
  );
  const newerAt = new Map(rows.map(({ at, ...newer }) => [at, newer]));
  return leaves.map((_, at) => newerAt.get(at) ?? null);
}
