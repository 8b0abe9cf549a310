import type pg from "pg";
import { readNames } from "@/lib/certificates/caa/read-names";
import type { KnownCaa } from "@/lib/certificates/issuance/judge-caa";
import type { KnownWindow } from "@/lib/certificates/issuance/renewal-window";
import { expectedChain } from "@/lib/certificates/judge/chain";
import type { Newer } from "@/lib/certificates/judge/judge-renewal";
import { readNewer } from "@/lib/certificates/record/read-newer";
import type { IdOf } from "@/lib/certificates/record/record-certificates";
import type { Entry } from "@/lib/certificates/record/record-results";
import { readRenewals } from "@/lib/certificates/renewal-info/read-renewals";
import { publicRoots } from "@/lib/certificates/trust-stores/trust-store";

/** What the database knows about the certificate that a check saw. */
export interface KnownOfLeaf {
  /** Undefined if the check saw none. */
  newer: Newer | null | undefined;
  renewal: KnownWindow | null;
  caa: KnownCaa | null;
}

/** The result for a check that saw no certificate. */
export const NOTHING_KNOWN: KnownOfLeaf = { newer: undefined, renewal: null, caa: null };

/** The key types of all certificates that a scan saw; none if it saw another server of the host, which does not have this certificate. */
export function keyTypesBeside(
  sha256: string,
  scanned: readonly { sha256: string; key_type: string }[],
): readonly string[] {
  return scanned.some((certificate) => certificate.sha256 === sha256) ? scanned.map(({ key_type }) => key_type) : [];
}

/** What is known about the certificates that checks saw. Missing knowledge is requested. */
export async function readKnown(
  client: pg.ClientBase,
  entries: readonly Entry[],
  idOf: IdOf,
): Promise<Map<Entry, KnownOfLeaf>> {
  const seen = entries.flatMap((entry) => (entry.served ? [{ entry, chain: entry.served.chain }] : []));
  const leaves = seen.map(({ entry: { row, result, at }, chain }) => ({
    organizationId: row.organization_id,
    leaf: chain[0],
    leadsToPublicRoot: () => expectedChain([...chain, ...result.fetched], publicRoots(), at).length > 0,
    certificateId: idOf(row.organization_id, chain[0]),
    expectedAccounts: row.expected_accounts,
    keyTypes: keyTypesBeside(
      chain[0].sha256,
      result.scanned?.seen.map(({ chain: [{ sha256, keyType }] }) => ({ sha256, key_type: keyType })) ??
        row.tls_scan?.shown.certificates ??
        [],
    ),
  }));
  const newer = await readNewer(client, leaves);
  const renewals = await readRenewals(client, leaves);
  const caa = await readNames(client, leaves);
  return new Map(
    seen.map(({ entry }, at) => [
      entry,
      { newer: newer[at] ?? null, renewal: renewals[at] ?? null, caa: caa[at] ?? null },
    ]),
  );
}
