import { setMaxListeners } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { LEASE_SECONDS, look, type Watched } from "@/lib/certificates/check";
import { type Result, recordObservations } from "@/lib/certificates/record-observations";
import { pool } from "@/lib/db/app";
import { isUnavailable } from "@/lib/db/unavailable";
import { log } from "@/lib/log";

/** Probes under way at once in one process: enough that some hang for their ten seconds without holding up the others. */
const MOST_AT_ONCE = 64;
/** Free places worth a query. */
const LEAST_TO_LEASE = 16;
/** Milliseconds between looks for what has become due meanwhile. */
const POLL_MS = 500;

/** Takes up to `most` due endpoints for this process; those of a process that died are due again when their lease is over. */
export async function leaseDueEndpoints(most: number): Promise<Watched[]> {
  const { rows } = await pool().query<Watched>(
    `WITH due AS MATERIALIZED (
       SELECT organization_id, id FROM certificate_endpoints
       WHERE next_check_at <= now() AND (leased_until IS NULL OR leased_until <= now())
       ORDER BY next_check_at LIMIT $1 FOR UPDATE SKIP LOCKED
     )
     UPDATE certificate_endpoints e SET leased_until = now() + make_interval(secs => $2)
     FROM due WHERE e.organization_id = due.organization_id AND e.id = due.id
     RETURNING e.organization_id AS "organizationId", e.id, e.version, e.host, e.port, e.sni`,
    [most, LEASE_SECONDS],
  );
  return rows;
}

/** Writes results together; when that fails, each alone, so that one that cannot be written does not hold back the rest. */
async function write(results: readonly Result[]): Promise<void> {
  try {
    await recordObservations(results);
  } catch (error) {
    if (isUnavailable(error)) throw error;
    if (results.length > 1) for (const result of results) await write([result]);
    else log.error({ err: error, endpoint_id: results[0]?.endpointId }, "a check could not be written");
  }
}

/**
 * Checks what is due until nothing is. Probes run side by side; results that arrive while others are being written are
 * written together next. Several processes share the work by leases.
 */
export async function checkDueEndpoints(signal: AbortSignal): Promise<void> {
  // Every probe listens to it; Node would take more than ten for a leak.
  setMaxListeners(MOST_AT_ONCE * 2, signal);
  const running = new Set<Promise<void>>();
  let arrived: Result[] = [];
  let writing: Promise<void> | undefined;
  let failure: unknown;

  const writeArrived = async () => {
    while (arrived.length > 0) {
      const results = arrived;
      arrived = [];
      await write(results).catch((error: unknown) => {
        failure = error;
      });
    }
    writing = undefined;
  };
  const start = (watched: Watched) => {
    const done = look(watched, signal).then(
      (observation) => {
        const { organizationId, id: endpointId, version } = watched;
        arrived.push({ organizationId, endpointId, version, observation });
        writing ??= writeArrived();
      },
      (error: unknown) => {
        if (!signal.aborted) failure = error;
      },
    );
    const ended = done.finally(() => running.delete(ended));
    running.add(ended);
  };

  try {
    while (!signal.aborted && failure === undefined) {
      const free = MOST_AT_ONCE - running.size;
      const leased = free >= LEAST_TO_LEASE ? await leaseDueEndpoints(free) : [];
      leased.forEach(start);
      if (running.size === 0) break;
      const isAllLeased = free >= LEAST_TO_LEASE && leased.length < free;
      const pause = [Promise.all(running), delay(POLL_MS, undefined, { ref: false })];
      await Promise.race<unknown>(isAllLeased ? pause : running);
    }
  } finally {
    await Promise.all(running);
    await writing;
  }
  if (failure !== undefined) throw failure;
}
