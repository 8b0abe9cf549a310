import { RecentlyUsed } from "@/lib/caches/recently-used";
import type { AddressMode, Protocol } from "@/lib/certificates/targets";
import { both, publicRoots, type TrustStore, trustStoreOf } from "@/lib/certificates/trust-stores/trust-store";
import { derBlocks, memoryOf, parseReadable } from "@/lib/certificates/x509/x509";
import { pool } from "@/lib/db/app";
import { processSingleton } from "@/lib/process-singleton";

/** An endpoint with the fields that a check needs. */
export interface EndpointToCheck {
  organizationId: string;
  id: string;
  /** Identifies the target; it may have changed by the end of a check. */
  version: number;
  host: string;
  port: number;
  protocol: Protocol;
  /** As stored: empty for the host itself, likewise `connectTo`. */
  sni: string;
  connectTo: string;
  addressMode: AddressMode;
  intervalSeconds: number;
  reported: boolean;
  agentId: string | null;
  reportedAt: Date | null;
  trustStoreId: string | null;
  trustStoreUpdatedAt: Date | null;
  /** In hexadecimal: the certificate that the last check recorded; null if none. */
  leafSha256: string | null;
  /** Until when it is leased for this check, if it is. */
  leasedUntil: Date | null;
  /** When the next scan is due; null before the first check. */
  scanDueAt: Date | null;
}

/** The columns of `EndpointToCheck`, of the row `t`. */
export const ENDPOINT_TO_CHECK_COLUMNS = `t.organization_id AS "organizationId", t.id, t.version, t.host, t.port, t.protocol, t.sni,
  t.connect_to AS "connectTo", t.address_mode AS "addressMode", t.interval_seconds AS "intervalSeconds", t.reported,
  t.agent_id AS "agentId", t.reported_at AS "reportedAt", t.trust_store_id AS "trustStoreId",
  t.leased_until AS "leasedUntil", t.tls_scan_due_at AS "scanDueAt", (SELECT encode(c.sha256, 'hex') FROM certificates c
  WHERE c.organization_id = t.organization_id AND c.id = t.certificate_id) AS "leafSha256", (SELECT s.updated_at FROM certificate_trust_stores s
  WHERE s.organization_id = t.organization_id AND s.id = t.trust_store_id) AS "trustStoreUpdatedAt"`;

/** One endpoint, or null. */
export async function readEndpointToCheck(organizationId: string, id: string): Promise<EndpointToCheck | null> {
  const { rows } = await pool().query<EndpointToCheck>(
    `SELECT ${ENDPOINT_TO_CHECK_COLUMNS} FROM certificate_endpoints t WHERE t.organization_id = $1 AND t.id = $2`,
    [organizationId, id],
  );
  return rows[0] ?? null;
}

/** Those of these endpoints that the agent checks. */
export async function readEndpointsOfAgent(
  organizationId: string,
  agentId: string,
  ids: readonly string[],
): Promise<EndpointToCheck[]> {
  const { rows } = await pool().query<EndpointToCheck>(
    `SELECT ${ENDPOINT_TO_CHECK_COLUMNS} FROM certificate_endpoints t
     WHERE t.organization_id = $1 AND t.agent_id = $2 AND t.id = ANY ($3::uuid[])`,
    [organizationId, agentId, ids],
  );
  return rows;
}

/** A trust store with the memory that it takes, in bytes. */
interface Loaded {
  store: TrustStore;
  bytes: number;
}

/** What is cached of trust stores of organizations. Most have a few certificates of 10 KB each. */
const MAX_KEPT = { count: 500, bytes: 64 * 2 ** 20 };

function kept(): RecentlyUsed<Promise<Loaded>> {
  return processSingleton("certificates.trust-stores", () => new RecentlyUsed<Promise<Loaded>>(MAX_KEPT));
}

/** Leaves out certificates that can no longer be parsed. */
async function load(organizationId: string, id: string): Promise<Loaded> {
  const { rows } = await pool().query<{ pem: string }>(
    "SELECT pem FROM certificate_trust_stores WHERE organization_id = $1 AND id = $2",
    [organizationId, id],
  );
  const own = rows.flatMap(({ pem }) => parseReadable(derBlocks(pem)));
  const bytes = own.reduce((sum, certificate) => sum + memoryOf(certificate), 0);
  return { store: own.length === 0 ? publicRoots() : both(trustStoreOf(own), publicRoots()), bytes };
}

/** The trust store for an endpoint: the public roots and its own trust store in its current version. */
export async function trustOf(endpoint: EndpointToCheck): Promise<TrustStore> {
  const { organizationId, trustStoreId, trustStoreUpdatedAt } = endpoint;
  return trustStoreId === null ? publicRoots() : readTrust(organizationId, trustStoreId, trustStoreUpdatedAt);
}

/** The public roots and a trust store of the organization in the version of `updatedAt`. */
export async function readTrust(organizationId: string, id: string, updatedAt: Date | null): Promise<TrustStore> {
  const stores = kept();
  const key = `${id} ${updatedAt?.getTime()}`;
  const known = stores.get(key);
  if (known !== undefined) return (await known).store;
  const loading = load(organizationId, id);
  stores.set(key, loading, { bytes: 0, owner: organizationId });
  try {
    const { store, bytes } = await loading;
    stores.set(key, loading, { bytes, owner: organizationId });
    return store;
  } catch (error) {
    stores.delete(key);
    throw error;
  }
}

/** The chain that an endpoint last served, as DER in that order. */
export async function readServedChain({ organizationId, id }: EndpointToCheck): Promise<Buffer[]> {
  const { rows } = await pool().query<{ der: Buffer }>(
    `SELECT c.der FROM certificate_endpoints e CROSS JOIN unnest(e.served_chain) WITH ORDINALITY AS served (id, at)
     JOIN certificates c ON c.organization_id = e.organization_id AND c.id = served.id
     WHERE e.organization_id = $1 AND e.id = $2 ORDER BY served.at`,
    [organizationId, id],
  );
  return rows.map(({ der }) => der);
}
