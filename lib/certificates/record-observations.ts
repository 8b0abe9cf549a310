import type pg from "pg";
import { gravest } from "@/lib/certificates/findings";
import { judge } from "@/lib/certificates/judge";
import type { Observation } from "@/lib/certificates/observation";
import { recordCertificates, type ServedSet } from "@/lib/certificates/record-certificates";
import { compareFindings, readOpenFindings, writeFindings } from "@/lib/certificates/record-findings";
import { nextCheckAt } from "@/lib/certificates/schedule";
import { publicRoots } from "@/lib/certificates/trust-store";
import { parseCertificate } from "@/lib/certificates/x509";
import { pool } from "@/lib/db/app";

/** An observation of an endpoint as it was when it was looked at. */
export interface Result {
  organizationId: string;
  endpointId: string;
  /** The target's version; by now there may be another. */
  version: number;
  observation: Observation;
}

interface Locked {
  organization_id: string;
  id: string;
  version: number;
  host: string;
  sni: string;
  reachability: string;
  reachability_since: Date | null;
  failures: number;
  last_checked_at: Date | null;
  leaf_sha256: string | null;
  not_before: Date | null;
  not_after: Date | null;
}

async function lockEndpoints(client: pg.ClientBase, results: readonly Result[]): Promise<Map<string, Locked>> {
  const wanted = results.map(({ organizationId, endpointId }) => ({ o: organizationId, e: endpointId }));
  const { rows } = await client.query<Locked>(
    `SELECT e.organization_id, e.id, e.version, e.host, e.sni, e.reachability, e.reachability_since, e.failures, e.last_checked_at,
       encode(c.sha256, 'hex') AS leaf_sha256, c.not_before, c.not_after
     FROM jsonb_to_recordset($1) AS wanted (o uuid, e uuid)
     JOIN certificate_endpoints e ON e.organization_id = wanted.o AND e.id = wanted.e
     LEFT JOIN certificates c ON c.organization_id = e.organization_id AND c.id = e.certificate_id
     ORDER BY e.organization_id, e.id
     FOR UPDATE OF e`,
    [JSON.stringify(wanted)],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** The endpoint's row after an observation; null keeps what is there. */
function nextRow(row: Locked, { observation }: Result, status: string, certificateIds: string[] | undefined) {
  const isServed = observation.outcome === "served";
  const reachability = isServed ? "reachable" : "unreachable";
  const failures = isServed ? 0 : row.failures + 1;
  const leaf = isServed ? parseCertificate(observation.chain[0]) : null;
  const validity = leaf ?? { notBefore: row.not_before, notAfter: row.not_after };
  const { dnsMs: dns_ms, connectMs: connect_ms, tlsMs: tls_ms } = observation.timings;
  return {
    organization_id: row.organization_id,
    id: row.id,
    status,
    reachability,
    reachability_since: row.reachability === reachability ? row.reachability_since : observation.observedAt,
    failures,
    certificate_id: certificateIds?.[0] ?? null,
    served_chain: certificateIds ?? null,
    connection: isServed
      ? {
          address: observation.address,
          protocol: observation.protocol,
          cipher: observation.cipher,
          dns_ms,
          connect_ms,
          tls_ms,
        }
      : null,
    last_checked_at: observation.observedAt,
    next_check_at: nextCheckAt({ ...validity, status, failures }, new Date(), Math.random()),
  };
}

async function writeEndpoints(client: pg.ClientBase, rows: readonly ReturnType<typeof nextRow>[]): Promise<void> {
  await client.query(
    `UPDATE certificate_endpoints e
     SET status = new.status, reachability = new.reachability, reachability_since = new.reachability_since,
       failures = new.failures, certificate_id = coalesce(new.certificate_id, e.certificate_id),
       served_chain = coalesce(new.served_chain, e.served_chain), connection = coalesce(new.connection, e.connection),
       last_checked_at = new.last_checked_at, next_check_at = new.next_check_at, leased_until = NULL
     FROM jsonb_to_recordset($1) AS new (organization_id uuid, id uuid, status text, reachability text,
       reachability_since timestamptz, failures integer, certificate_id uuid, served_chain uuid[], connection jsonb,
       last_checked_at timestamptz, next_check_at timestamptz)
     WHERE e.organization_id = new.organization_id AND e.id = new.id`,
    [JSON.stringify(rows)],
  );
}

async function writeSightings(
  client: pg.ClientBase,
  sightings: readonly {
    organization_id: string;
    endpoint_id: string;
    address: string;
    certificate_id: string;
    at: Date;
  }[],
): Promise<void> {
  if (sightings.length === 0) return;
  await client.query(
    `INSERT INTO certificate_sightings (organization_id, endpoint_id, address, certificate_id, first_seen_at, last_seen_at)
     SELECT organization_id, endpoint_id, address, certificate_id, at, at
     FROM jsonb_to_recordset($1) AS seen (organization_id uuid, endpoint_id uuid, address text, certificate_id uuid, at timestamptz)
     ON CONFLICT (organization_id, endpoint_id, address, certificate_id) DO UPDATE SET last_seen_at = excluded.last_seen_at`,
    [JSON.stringify(sightings)],
  );
}

async function record(client: pg.ClientBase, results: readonly Result[]): Promise<void> {
  const locked = await lockEndpoints(client, results);
  const current = results.flatMap((result) => {
    const row = locked.get(result.endpointId);
    const isStale =
      row === undefined ||
      row.version !== result.version ||
      (row.last_checked_at !== null && row.last_checked_at > result.observation.observedAt);
    return isStale ? [] : [{ row, result, organizationId: row.organization_id, endpointId: row.id }];
  });
  if (current.length === 0) return;

  const sets = new Map<Result, ServedSet>();
  for (const { result, organizationId } of current) {
    const { observation } = result;
    if (observation.outcome === "served") sets.set(result, { organizationId, ...observation });
  }
  const idsOf = await recordCertificates(client, [...sets.values()]);
  const openOf = await readOpenFindings(client, current);

  const judged = current.map(({ row, result, organizationId, endpointId }) => {
    const { observation } = result;
    const isServed = observation.outcome === "served";
    const now = new Date();
    const name = row.sni === "" ? row.host : row.sni;
    const found = judge(observation, { name, trust: publicRoots(), now, previousSha256: row.leaf_sha256 });
    const changes = compareFindings(openOf.get(endpointId) ?? [], found, isServed);
    const status = isServed ? (gravest(found.map(({ severity }) => severity)) ?? "ok") : "unreachable";
    const set = sets.get(result);
    const next = nextRow(row, result, status, set && idsOf.get(set));
    return { organizationId, endpointId, at: observation.observedAt, changes, row: next };
  });
  await writeFindings(client, judged);
  await writeSightings(
    client,
    judged.flatMap(({ organizationId, endpointId, at, row: { certificate_id, connection } }) =>
      certificate_id !== null && connection?.address
        ? [
            {
              organization_id: organizationId,
              endpoint_id: endpointId,
              address: connection.address,
              certificate_id,
              at,
            },
          ]
        : [],
    ),
  );
  await writeEndpoints(
    client,
    judged.map(({ row }) => row),
  );
}

/**
 * Judges observations and writes what they change, all in one transaction of a few statements: new certificates, sightings, findings
 * opened and closed, the endpoints' state and next check. What is out of date is dropped: an endpoint that is gone, has another target
 * or was looked at later. At most one result per endpoint.
 */
export async function recordObservations(results: readonly Result[]): Promise<void> {
  const client = await pool().connect();
  let broken: Error | undefined;
  try {
    await client.query("BEGIN");
    await record(client, results);
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK").catch((failure: Error) => {
      broken = failure;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}
