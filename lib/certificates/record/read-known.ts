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
  /** Also of the certificates that other addresses serve, by SHA-256. Undefined if the check saw none. */
  newer: ReadonlyMap<string, Newer> | undefined;
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
  }));
  const newerOf = await readNewerOf(
    client,
    seen.map(({ entry }) => entry),
  );
  const renewals = await readRenewals(client, leaves);
  const caa = await readNames(client, leaves);
  return new Map(
    seen.map(({ entry }, at) => [
      entry,
      { newer: newerOf.get(entry), renewal: renewals[at] ?? null, caa: caa[at] ?? null },
    ]),
  );
}

/** Certificates that should replace those of each check, by the SHA-256 of these. */
async function readNewerOf(client: pg.ClientBase, entries: readonly Entry[]): Promise<Map<Entry, Map<string, Newer>>> {
  const leaves = entries.flatMap((entry) => {
    const { row, result } = entry;
    const scanned =
      result.scanned?.seen.map(({ chain: [{ sha256, keyType }] }) => ({ sha256, key_type: keyType })) ??
      row.tls_scan?.shown.certificates ??
      [];
    const served = result.observations.flatMap((each) => (each.outcome === "served" ? [each.chain[0]] : []));
    const bySha256 = new Map(served.map((leaf) => [leaf.sha256, leaf]));
    return [...bySha256.values()].map((leaf) => {
      const keyTypes = keyTypesBeside(leaf.sha256, scanned);
      return { entry, organizationId: row.organization_id, leaf, keyTypes };
    });
  });
  const found = await readNewer(client, leaves);
  const newerOf = new Map(entries.map((entry) => [entry, new Map<string, Newer>()]));
  for (const [at, { entry, leaf }] of leaves.entries()) {
    const newer = found[at];
    if (newer) newerOf.get(entry)?.set(leaf.sha256, newer);
  }
  return newerOf;
}
