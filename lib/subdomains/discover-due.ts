import { config } from "@/lib/config";
import { pool } from "@/lib/db/app";
import { logFailure } from "@/lib/db/outage-log";
import { isAway } from "@/lib/db/unavailable";
import { fairLease, fairLeaseValues } from "@/lib/jobs/fair-lease";
import { runLeasedWork, type Slots } from "@/lib/jobs/leased-work";
import { countDueTasks } from "@/lib/jobs/tasks";
import { type SourceName, sourceNames } from "@/lib/subdomains/domain-contract";
import { Abandoned, LEASE_SECONDS, type Run, recordFound } from "@/lib/subdomains/record-found";
import { sourceOf } from "@/lib/subdomains/sources";
import { isNotHeld } from "@/lib/subdomains/sources/holds";
import { SourceFailed } from "@/lib/subdomains/sources/source";

/** Concurrent runs per source and process. Searches are run by others and must not be overloaded. */
const SLOTS: Record<SourceName, Slots> = {
  ct_search: { total: 2, perOrganization: 1 },
  ct_public_search: { total: 1, perOrganization: 1 },
  dns: { total: 4, perOrganization: 3 },
};
/** Milliseconds after which a run lets others have its slot, at the next place from which it can continue. */
const TURN_MS = 60_000;
/** Maximum number of known names to resolve in one run, starting with those asked for longest ago. */
const MAX_KNOWN = 5_000;
/** Minutes to wait after a failure; doubles with each further failure. */
const BACKOFF_MINUTES = 5;
const LONGEST_BACKOFF_MINUTES = 12 * 60;

/** A run that this process has leased. */
interface LeasedRun extends Run {
  domain: string;
  place: string | null;
}

/** The result of a run. */
type Ending = { error: string | null; retryAfterMs: number | null };

const IS_FREE = "((s.next_run_at <= now() AND s.leased_until IS NULL) OR s.leased_until <= now())";
const IS_DUE = `s.source = $6 AND ${isNotHeld("$6")} AND ${IS_FREE}`;

countDueTasks(
  "discovery",
  `SELECT coalesce(s.leased_until, s.next_run_at) AS due_at FROM domain_sources s WHERE s.organization_id = o.id AND ${IS_FREE} AND ${isNotHeld("s.source")}`,
);

const LEASE = `WITH ${fairLease({
  isWaiting: `EXISTS (SELECT FROM domain_sources s WHERE s.organization_id = o.id AND ${IS_DUE})`,
  candidates: (limit) => `SELECT s.organization_id, s.domain_id, s.source, s.next_run_at AS due_at FROM domain_sources s
    WHERE s.organization_id = waiting.organization_id AND ${IS_DUE} ORDER BY s.next_run_at ${limit} FOR UPDATE SKIP LOCKED`,
})}
  UPDATE domain_sources s SET leased_until = now() + make_interval(secs => $7), last_started_at = now(),
    next_run_at = now() + make_interval(mins => round(d.interval_hours * 60 * (0.95 + random() / 10))::integer)
  FROM due JOIN domains d ON d.organization_id = due.organization_id AND d.id = due.domain_id
  WHERE s.organization_id = due.organization_id AND s.domain_id = due.domain_id AND s.source = due.source
  RETURNING s.organization_id AS "organizationId", s.domain_id AS "domainId", s.source, s.leased_until AS "leasedUntil", d.name AS domain, s.place`;

/** Leases due runs of a source to this process in fair shares. Those of a crashed process are due again after their lease. */
export async function leaseDueRuns(source: SourceName, running: readonly LeasedRun[]): Promise<LeasedRun[]> {
  const own = running.filter((run) => run.source === source);
  const slots = SLOTS[source];
  const free = slots.total - own.length;
  if (free <= 0) return [];
  const { rows } = await pool().query<LeasedRun>(LEASE, [...fairLeaseValues(free, own, slots), source, LEASE_SECONDS]);
  return rows;
}

async function knownNames({ organizationId, domainId }: Run): Promise<string[]> {
  const { rows } = await pool().query<{ name: string }>(
    `SELECT name FROM subdomains WHERE organization_id = $1 AND domain_id = $2 AND NOT wildcard
     ORDER BY asked_at NULLS FIRST, id LIMIT ${MAX_KNOWN}`,
    [organizationId, domainId],
  );
  return rows.map(({ name }) => name);
}

/** Runs a source and records results as they arrive, for a turn if it can continue from its place. Rejects if `signal` aborts or without a database. */
async function discover(leased: LeasedRun, signal: AbortSignal): Promise<void> {
  let ending: Ending = { error: null, retryAfterMs: null };
  let run: Run = leased;
  const turnEnd = performance.now() + TURN_MS;
  try {
    const known = leased.source === "dns" ? await knownNames(leased) : [];
    const guard = { allowedNetworks: config().PROBE_ALLOWED_NETWORKS };
    const { domain, place } = leased;
    for await (const found of sourceOf(leased.source)({ domain, place, known, guard, signal })) {
      run = { ...run, leasedUntil: await recordFound(run, found) };
      if (found.place !== null && performance.now() > turnEnd) return await endTurn(run);
    }
  } catch (error) {
    if (error instanceof Abandoned) return;
    if (signal.aborted || isAway(error)) {
      await releaseRun(run).catch(() => {});
      throw error;
    }
    if (!(error instanceof SourceFailed))
      logFailure("a source failed unexpectedly", error, { domain_id: leased.domainId });
    ending =
      error instanceof SourceFailed
        ? { error: error.message, retryAfterMs: error.retryAfterMs }
        : { error: "its results could not be stored", retryAfterMs: null };
  }
  await end(run, ending);
}

/** A condition: the lease is still that of this process. After it has ended, another one repeats the run. */
const IS_OWN = "organization_id = $1 AND domain_id = $2 AND source = $3::text AND leased_until = $4";

const ownOf = ({ organizationId, domainId, source, leasedUntil }: Run) => [
  organizationId,
  domainId,
  source,
  leasedUntil,
];

/**
 * Lets others have the slot of a run that is not over: it is due again, behind those that have waited longer. DNS then begins anew if it
 * was made due meanwhile, because there are new names, which may be anywhere.
 */
async function endTurn(run: Run): Promise<void> {
  await pool().query(
    `UPDATE domain_sources SET leased_until = NULL, next_run_at = now(),
       place = CASE WHEN source = 'dns' AND next_run_at <= now() THEN NULL ELSE place END
     WHERE ${IS_OWN}`,
    ownOf(run),
  );
}

/** Releases the run, so that any process can continue immediately. */
async function releaseRun(run: Run): Promise<void> {
  await pool().query(`UPDATE domain_sources SET leased_until = now() WHERE ${IS_OWN}`, ownOf(run));
}

/** Records the end of a run. A run requested meanwhile follows. A pause that the source requested holds it for every domain. */
async function end(run: Run, { error, retryAfterMs }: Ending): Promise<void> {
  await pool().query(
    `WITH held AS (
       INSERT INTO source_holds AS h (source, held_until)
       SELECT $3::text, now() + make_interval(secs => $6) WHERE $6::float8 IS NOT NULL
       ON CONFLICT (source) DO UPDATE SET held_until = greatest(h.held_until, excluded.held_until)
     )
     UPDATE domain_sources s SET leased_until = NULL, last_finished_at = now(), error = $5,
       last_success_at = CASE WHEN $5::text IS NULL THEN now() ELSE last_success_at END,
       failures = CASE WHEN $5::text IS NULL THEN 0 ELSE failures + 1 END,
       held_until = now() + make_interval(secs => $6),
       next_run_at = CASE
         WHEN $5::text IS NULL THEN next_run_at
         WHEN $6::float8 IS NOT NULL THEN now() + make_interval(secs => $6)
         ELSE least(next_run_at, now() + make_interval(mins => least($7 * power(2, least(failures, 20)), $8)::integer)) END,
       names = (SELECT count(*) FROM subdomains n
         WHERE n.organization_id = $1 AND n.domain_id = $2 AND $3::text = ANY (n.sources))
     WHERE ${IS_OWN}`,
    [
      ...ownOf(run),
      error,
      retryAfterMs === null ? null : retryAfterMs / 1000,
      BACKOFF_MINUTES,
      LONGEST_BACKOFF_MINUTES,
    ],
  );
}

/** Runs due sources until none are left. Leases divide the work among several processes. */
export function discoverDue(signal: AbortSignal, onProgress?: () => void): Promise<void> {
  const lease = async (_: number, running: readonly LeasedRun[]) => {
    const leased = [];
    for (const source of sourceNames) leased.push(...(await leaseDueRuns(source, running)));
    return leased;
  };
  const work = (leased: LeasedRun) => discover(leased, signal).then(() => leased);
  const idOf = ({ domainId }: LeasedRun) => domainId;
  const job = { what: "discovery", kind: "discovery" as const, lease, work, idOf, write: async () => {} };
  return runLeasedWork(job, signal, onProgress);
}
