import { pool } from "@/lib/db/app";
import { fairLease, fairLeaseValues } from "@/lib/jobs/fair-lease";
import { defaultSlots, runLeasedWork, type Slots } from "@/lib/jobs/leased-work";
import { HostBusy, PerHostLimiter } from "@/lib/jobs/per-host-limiter";
import { OutOfTime } from "@/lib/jobs/processor-time";
import { countDueTasks, type TaskKind } from "@/lib/jobs/tasks";
import { processSingleton } from "@/lib/process-singleton";

/** Concurrent checks per process. */
const LIMITS = { perHost: 12, perOrganization: 8, waiting: 32, waitMs: 5_000 };
/** Seconds, ±50%, after which a postponed target is checked. */
const POSTPONED_SECONDS = 10;

interface Target {
  organizationId: string;
  id: string;
  /** Identifies the lease, if it is leased. */
  leasedUntil: Date | null;
}

/** How one check waits for its turn, and how it is stopped. */
interface CheckLimits {
  /** Takes a slot of each host and returns the function that releases them. Rejects with HostBusy. */
  enter: (hosts: readonly string[]) => Promise<() => void>;
  signal: AbortSignal;
}

/** Checks of the targets in a table with `next_check_at`, by which an index orders those of an organization, and `leased_until`. */
interface Checks<T extends Target, Result> {
  /** The name of one check, for the log: `certificate check`. */
  what: string;
  /** Its name in the metrics. */
  kind: TaskKind;
  table: "certificate_endpoints" | "certificate_names" | "certificate_renewals" | "uptime_monitors";
  /** The columns of a target, of the row `t`; `due.leased_before` is the end of its previous lease, or null. */
  columns: string;
  /** The condition under which the row `t` is checked at all. */
  isActive: string;
  /** Seconds after which another process may check a leased target. */
  leaseSeconds: number;
  /** Concurrent checks in this process. Default: `defaultSlots`. */
  slots?: Slots;
  /** Handles leased targets that need no check; resolves with the others. */
  sift?: (leased: readonly T[]) => Promise<T[]>;
  /** May reject with HostBusy or OutOfTime, which postpones the check. */
  check: (target: T, limits: CheckLimits) => Promise<Result>;
  record: (results: readonly Result[]) => Promise<unknown>;
}

/** The functions that lease and check the due targets of a table. Leases divide the work among several processes. */
export function dueChecks<T extends Target, Result>(given: Checks<T, Result>) {
  const { what, kind, table, columns, isActive, leaseSeconds, slots = defaultSlots, sift, check, record } = given;
  const isDue = `${isActive} AND t.next_check_at <= now() AND (t.leased_until IS NULL OR t.leased_until <= now())`;
  const leaseSql = `WITH ${fairLease({
    isWaiting: `EXISTS (SELECT FROM ${table} t WHERE t.organization_id = o.id AND ${isDue})`,
    candidates: (limit) => `SELECT t.organization_id, t.id, t.next_check_at AS due_at, t.leased_until AS leased_before
      FROM ${table} t WHERE t.organization_id = waiting.organization_id AND ${isDue} AND t.id <> ALL ($7::uuid[])
      ORDER BY t.next_check_at ${limit} FOR UPDATE SKIP LOCKED`,
  })}
    UPDATE ${table} t SET leased_until = now() + make_interval(secs => $6)
    FROM due WHERE t.organization_id = due.organization_id AND t.id = due.id
    RETURNING ${columns}`;

  const ofOrganization = `SELECT t.next_check_at AS due_at FROM ${table} t WHERE t.organization_id = o.id AND ${isDue}`;
  countDueTasks(kind, ofOrganization, { isIndexed: true });

  /**
   * Leases up to `most` due targets to this process in fair shares. Those of a crashed process are due again after their lease; those
   * that this process is still checking then are not checked twice.
   */
  async function lease(most: number, running: readonly T[]): Promise<T[]> {
    const ids = running.map(({ id }) => id);
    const { rows } = await pool().query<T>(leaseSql, [...fairLeaseValues(most, running, slots), leaseSeconds, ids]);
    return sift ? sift(rows) : rows;
  }

  /** Ends the leases of targets that are to be checked a little later. */
  async function postpone(targets: readonly T[]): Promise<void> {
    if (targets.length === 0) return;
    await pool().query(
      `UPDATE ${table} t SET leased_until = NULL, next_check_at = now() + make_interval(secs => $3 * (0.5 + random()))
       FROM unnest($1::uuid[], $2::uuid[], $4::timestamptz[]) AS busy (organization_id, id, leased_until)
       WHERE t.organization_id = busy.organization_id AND t.id = busy.id AND t.leased_until = busy.leased_until`,
      [
        targets.map(({ organizationId }) => organizationId),
        targets.map(({ id }) => id),
        POSTPONED_SECONDS,
        targets.map(({ leasedUntil }) => leasedUntil),
      ],
    );
  }

  /** Checks due targets until none are left. Calls `onProgress` whenever results are recorded. */
  function run(signal: AbortSignal, onProgress?: () => void): Promise<void> {
    const limiter = processSingleton(`${table}.per-host-limiter`, () => new PerHostLimiter(LIMITS));
    const work = async (target: T) => {
      const enter = (hosts: readonly string[]) => limiter.enter(target.organizationId, hosts, signal);
      try {
        return { target, results: [await check(target, { enter, signal })] };
      } catch (error) {
        if (error instanceof HostBusy || error instanceof OutOfTime) return { target, results: [] };
        throw error;
      }
    };
    const write = async (all: readonly { target: T; results: Result[] }[]) => {
      const results = all.flatMap((each) => each.results);
      if (results.length > 0) await record(results);
      await postpone(all.flatMap((each) => (each.results.length === 0 ? [each.target] : [])));
    };
    return runLeasedWork(
      { what, kind, slots, lease, work, idOf: ({ target }) => target.id, write },
      signal,
      onProgress,
    );
  }

  return { lease, run };
}
