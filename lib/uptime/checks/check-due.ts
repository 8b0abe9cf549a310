import { pool } from "@/lib/db/app";
import { fairLease, fairLeaseValues, postponeChecks } from "@/lib/jobs/fair-lease";
import { runLeasedWork } from "@/lib/jobs/leased-work";
import { HostBusy, PerHostLimiter } from "@/lib/jobs/per-host-limiter";
import { processSingleton } from "@/lib/process-singleton";
import { LEASE_SECONDS, type MonitorToCheck, probeMonitor } from "@/lib/uptime/checks/check";
import { type Result, recordOutcomes } from "@/lib/uptime/checks/record-outcomes";
import { hostOf, parseHttpTarget, parseTcpTarget } from "@/lib/uptime/target";

/** Concurrent checks per process. */
const LIMITS = { perHost: 12, perOrganization: 8, waiting: 32, waitMs: 5_000 };

/** Returned instead of a result if the host had no free slot. */
interface Postponed {
  monitor: MonitorToCheck;
  isPostponed: true;
}

const IS_DUE =
  "m.next_check_at <= now() AND m.paused_at IS NULL AND (m.leased_until IS NULL OR m.leased_until <= now())";

const LEASE = `WITH ${fairLease({
  isWaiting: `EXISTS (SELECT FROM uptime_monitors m WHERE m.organization_id = o.id AND ${IS_DUE})`,
  candidates: (limit) => `SELECT m.organization_id, m.id, m.next_check_at AS due_at FROM uptime_monitors m
    WHERE m.organization_id = waiting.organization_id AND ${IS_DUE} ORDER BY m.next_check_at ${limit} FOR UPDATE SKIP LOCKED`,
})}
  UPDATE uptime_monitors m SET leased_until = now() + make_interval(secs => $6)
  FROM due WHERE m.organization_id = due.organization_id AND m.id = due.id
  RETURNING m.organization_id AS "organizationId", m.id, m.version, m.type, m.target, m.method, m.headers,
    m.expected_status AS "expectedStatus", m.expected_text AS "expectedText", m.follow_redirects AS "followRedirects",
    m.timeout_seconds AS "timeoutSeconds", m.leased_until AS "leasedUntil"`;

/** Leases up to `most` due monitors to this process in fair shares. Those of a crashed process are due again after their lease. */
export async function leaseDueMonitors(most: number, running: readonly MonitorToCheck[]): Promise<MonitorToCheck[]> {
  const { rows } = await pool().query<MonitorToCheck>(LEASE, [...fairLeaseValues(most, running), LEASE_SECONDS]);
  return rows;
}

function hostOfTarget({ type, target }: MonitorToCheck): string {
  return type === "tcp" ? parseTcpTarget(target).host : hostOf(parseHttpTarget(target));
}

async function write(all: readonly (Result | Postponed)[]): Promise<void> {
  const results = all.flatMap((each) => ("isPostponed" in each ? [] : [each]));
  if (results.length > 0) await recordOutcomes(results);
  await postponeChecks(
    "uptime_monitors",
    all.flatMap((each) => ("isPostponed" in each ? [each.monitor] : [])),
  );
}

/** Checks due monitors until none are left. Leases divide the work among several processes. */
export function checkDueMonitors(signal: AbortSignal): Promise<void> {
  const limiter = processSingleton("uptime.per-host-limiter", () => new PerHostLimiter(LIMITS));
  const work = async (monitor: MonitorToCheck): Promise<Result | Postponed> => {
    const { organizationId, id: monitorId, version, leasedUntil } = monitor;
    try {
      // Enter before the check, so that waiting for a slot does not count as response time.
      const leave = await limiter.enter(organizationId, [hostOfTarget(monitor)], signal);
      const outcome = await probeMonitor(monitor, signal).finally(leave);
      return { organizationId, monitorId, version, leasedUntil, outcome };
    } catch (error) {
      if (error instanceof HostBusy) return { monitor, isPostponed: true };
      throw error;
    }
  };
  const idOf = (each: Result | Postponed) => ("isPostponed" in each ? each.monitor.id : each.monitorId);
  return runLeasedWork({ what: "uptime check", lease: leaseDueMonitors, work, idOf, write }, signal);
}
