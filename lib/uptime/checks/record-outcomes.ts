import type pg from "pg";
import { wakeRules } from "@/lib/alert-schedule/wake";
import { pool } from "@/lib/db/app";
import { withTransaction } from "@/lib/db/connections";
import { latencyBucketSql } from "@/lib/histogram";
import { newIdAt } from "@/lib/ids";
import { utcDay } from "@/lib/text/dates";
import { evidenceOf } from "@/lib/uptime/checks/evidence";
import type { Outcome } from "@/lib/uptime/checks/outcome";
import { withDayPartitions } from "@/lib/uptime/checks/partitions";
import {
  callAt,
  isWithin,
  type Maintenance,
  type State,
  secondsToNextCall,
  secondsToNextCheck,
  step,
} from "@/lib/uptime/checks/state";

/** The outcome of a check of a monitor's settings at `version`; they may have changed since. */
export interface Result {
  organizationId: string;
  monitorId: string;
  version: number;
  /** The lease for this check. */
  leasedUntil?: Date | null;
  outcome: Outcome;
}

interface Locked extends State {
  organization_id: string;
  id: string;
  version: number;
  type: string;
  interval_seconds: number;
  grace_seconds: number;
  next_check_at: Date;
  leased_until: Date | null;
  failureThreshold: number;
  recoveryThreshold: number;
  status_since: Date | null;
  last_checked_at: Date | null;
  /** Whether a process whose clock is ahead recorded the previous check. */
  is_ahead: boolean;
  first_failed_at: Date | null;
  windows: { starts_at: string; ends_at: string; repeat: string }[];
}

/** Seconds by which the clocks of processes may differ from that of the database. */
const MAX_AHEAD_SECONDS = 5;

/** Locks the monitors in a fixed order and reads the maintenance windows that affect them. */
async function lockMonitors(client: pg.ClientBase, results: readonly Result[]): Promise<Map<string, Locked>> {
  const wanted = results.map(({ organizationId, monitorId }) => ({ o: organizationId, m: monitorId }));
  const { rows } = await client.query<Locked>(
    `SELECT m.organization_id, m.id, m.version, m.type, m.interval_seconds, m.grace_seconds, m.next_check_at, m.leased_until,
       m.failure_threshold AS "failureThreshold", m.recovery_threshold AS "recoveryThreshold", m.status, m.failures, m.successes, m.status_since, m.last_checked_at,
       coalesce(m.last_checked_at > now() + interval '${MAX_AHEAD_SECONDS} seconds', false) AS is_ahead,
       (m.last_check->>'first_failed_at')::timestamptz AS first_failed_at,
       (SELECT coalesce(jsonb_agg(jsonb_build_object('starts_at', w.starts_at, 'ends_at', w.ends_at, 'repeat', w.repeat)), '[]')
        FROM maintenance_windows w
        WHERE w.organization_id = m.organization_id AND (w.monitor_ids = '{}' OR m.id = ANY(w.monitor_ids))
          AND w.starts_at <= now() + interval '1 hour' AND (w.repeat <> 'none' OR w.ends_at > least(now(), m.next_check_at) - interval '1 day')) AS windows
     FROM jsonb_to_recordset($1) AS wanted (o uuid, m uuid)
     JOIN uptime_monitors m ON m.organization_id = wanted.o AND m.id = wanted.m
     ORDER BY m.organization_id, m.id
     FOR UPDATE OF m`,
    [JSON.stringify(wanted)],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

function isInMaintenance({ windows }: Locked, at: Date): boolean {
  return windows.some(({ starts_at, ends_at, repeat }) => {
    const window: Maintenance = { startsAt: new Date(starts_at), endsAt: new Date(ends_at), repeat };
    return isWithin(window, at.getTime());
  });
}

/** A heartbeat that is late is down. */
const HEARTBEAT_THRESHOLDS = { failureThreshold: 1, recoveryThreshold: 1 };

/** All changes by one check, in the form the database function expects. */
function judge(row: Locked, { organizationId, monitorId, outcome }: Result, id: string) {
  // A call that did not come is excused by its deadline, not by when a worker looked.
  const maintenance = isInMaintenance(row, outcome.reason === "heartbeat_missed" ? row.next_check_at : outcome.at);
  const isHeartbeat = row.type === "heartbeat";
  const { after, turn } = step(row, { ok: outcome.ok, maintenance }, isHeartbeat ? HEARTBEAT_THRESHOLDS : row);
  const counts = !outcome.ok && !maintenance;
  const firstFailedAt = after.failures === 0 ? null : counts && row.failures === 0 ? outcome.at : row.first_failed_at;
  const { at, dnsUs, connectUs, tlsUs, ttfbUs, totalUs, statusCode, response: _, ...rest } = outcome;
  return {
    organization_id: organizationId,
    monitor_id: monitorId,
    id,
    at,
    maintenance,
    ...rest,
    status_code: statusCode,
    dns_us: dnsUs,
    connect_us: connectUs,
    tls_us: tlsUs,
    ttfb_us: ttfbUs,
    total_us: totalUs,
    status: after.status,
    status_since: after.status === row.status ? row.status_since : at,
    failures: after.failures,
    successes: after.successes,
    first_failed_at: firstFailedAt,
    timed: !isHeartbeat,
    next_check_in: isHeartbeat
      ? secondsToNextCall({ ...outcome, maintenance }, row)
      : secondsToNextCheck(after, row.interval_seconds, Math.random()),
    turn,
    evidence: turn === "opened" ? evidenceOf(outcome) : null,
  };
}

/** The latest incidents of a monitor with evidence. */
const KEPT_EVIDENCE = 10;

const COLUMNS = `organization_id uuid, monitor_id uuid, id uuid, at timestamptz, maintenance boolean, ok boolean, reason text,
  detail text, address text, status_code smallint, dns_us integer, connect_us integer, tls_us integer, ttfb_us integer,
  total_us integer, status text, status_since timestamptz, failures integer, successes integer, first_failed_at timestamptz,
  next_check_in float8, turn text, timed boolean, evidence jsonb`;

const WRITE = `
  WITH new AS MATERIALIZED (SELECT * FROM jsonb_to_recordset($1) AS new (${COLUMNS})),
  grains AS MATERIALIZED (
    SELECT new.*, grain, date_trunc(grain, at, 'UTC') AS start FROM new CROSS JOIN (VALUES ('hour'), ('day')) AS g (grain)
  ),
  checks AS (
    INSERT INTO uptime_checks
    SELECT organization_id, monitor_id, id, ok, maintenance, reason, detail, status_code, address, dns_us, connect_us, tls_us,
      ttfb_us, total_us FROM new
  ),
  rollups AS (
    INSERT INTO uptime_rollups AS r
    SELECT organization_id, monitor_id, grain, start, (NOT maintenance)::integer, (NOT maintenance AND NOT ok)::integer,
      maintenance::integer FROM grains
    ON CONFLICT (organization_id, monitor_id, grain, start) DO UPDATE SET checks = r.checks + excluded.checks,
      failures = r.failures + excluded.failures, maintenance = r.maintenance + excluded.maintenance
  ),
  latencies AS (
    INSERT INTO uptime_latencies AS l
    SELECT organization_id, monitor_id, grain, start, ${latencyBucketSql("total_us")}::smallint, 1 FROM grains
    WHERE ok AND timed AND NOT maintenance
    ON CONFLICT (organization_id, monitor_id, grain, start, bucket) DO UPDATE SET checks = l.checks + 1
  ),
  opened AS (
    INSERT INTO uptime_incidents (organization_id, id, monitor_id, started_at, reason, detail)
    SELECT organization_id, id, monitor_id, coalesce(first_failed_at, at), reason, detail FROM new WHERE turn = 'opened'
    ON CONFLICT (organization_id, monitor_id) WHERE ended_at IS NULL DO NOTHING
    RETURNING organization_id, id, monitor_id
  ),
  kept AS (
    INSERT INTO uptime_evidence SELECT o.organization_id, o.id, new.evidence
    FROM opened o JOIN new ON new.organization_id = o.organization_id AND new.id = o.id WHERE new.evidence IS NOT NULL
  ),
  expired AS (
    DELETE FROM uptime_evidence e USING opened o WHERE e.organization_id = o.organization_id AND e.incident_id = (
      SELECT i.id FROM uptime_incidents i WHERE i.organization_id = o.organization_id AND i.monitor_id = o.monitor_id
      ORDER BY i.started_at DESC OFFSET ${KEPT_EVIDENCE - 1} LIMIT 1)
  ),
  closed AS (
    UPDATE uptime_incidents i SET ended_at = greatest(i.started_at, new.at), awaits_evaluation = true FROM new
    WHERE i.organization_id = new.organization_id AND i.monitor_id = new.monitor_id AND i.ended_at IS NULL AND new.turn = 'closed'
  )
  UPDATE uptime_monitors m
  SET status = new.status, status_since = new.status_since, failures = new.failures, successes = new.successes,
    last_checked_at = new.at, next_check_at = now() + make_interval(secs => new.next_check_in), leased_until = NULL,
    last_check = to_jsonb(new) - '{status,status_since,failures,successes,next_check_in,turn,timed,evidence,organization_id,monitor_id}'::text[]
  FROM new WHERE m.organization_id = new.organization_id AND m.id = new.monitor_id`;

/** Seconds after which a monitor whose check was discarded is checked again at the earliest. */
const DISCARDED_SECONDS = 5;

/** Makes a monitor whose check was discarded due at its regular time, or soon, instead of after that check's lease. */
async function endLeases(client: pg.ClientBase, stale: readonly Result[]): Promise<void> {
  const rows = stale.map(({ organizationId: o, monitorId: m, leasedUntil: until }) => ({ o, m, until }));
  await client.query(
    `UPDATE uptime_monitors m SET leased_until = NULL,
       next_check_at = greatest(m.next_check_at, now() + interval '${DISCARDED_SECONDS} seconds')
     FROM jsonb_to_recordset($1) AS stale (o uuid, m uuid, until timestamptz)
     WHERE m.organization_id = stale.o AND m.id = stale.m AND m.leased_until = stale.until`,
    [JSON.stringify(rows)],
  );
}

/** A call happened after everything that is recorded, whatever the clocks of other processes say. */
function inOrder(result: Result, row: Locked | undefined): Result {
  if (row?.type !== "heartbeat" || !result.outcome.ok) return result;
  return {
    ...result,
    outcome: { ...result.outcome, at: callAt(result.outcome.at, row.is_ahead ? null : row.last_checked_at) },
  };
}

async function record(client: pg.ClientBase, given: readonly Result[]) {
  const locked = await lockMonitors(client, given);
  const results = given.map((result) => inOrder(result, locked.get(result.monitorId)));
  const isCurrent = ({ monitorId, version, leasedUntil, outcome }: Result) => {
    const row = locked.get(monitorId);
    // A call that arrived since has ended the lease.
    const wasCalled = outcome.reason === "heartbeat_missed" && row?.leased_until?.getTime() !== leasedUntil?.getTime();
    if (row?.version !== version || wasCalled) return false;
    if (row.last_checked_at === null || row.last_checked_at < outcome.at) return true;
    return row.is_ahead && row.last_checked_at.getTime() !== outcome.at.getTime();
  };
  const current = results.filter(isCurrent).flatMap((result) => {
    const row = locked.get(result.monitorId);
    return row === undefined ? [] : [judge(row, result, newIdAt(result.outcome.at.getTime()))];
  });
  if (current.length > 0) await client.query(WRITE, [JSON.stringify(current)]);
  const stale = results.filter((result) => !isCurrent(result));
  if (stale.length > 0) await endLeases(client, stale);
  return current;
}

/**
 * Records checks, rollups, incidents and monitor states in one transaction of two statements, with at most one result per
 * monitor. Drops outdated results: the monitor was deleted, changed, checked later, or this check was already recorded. Resolves
 * with the ids of the recorded checks.
 */
export async function recordOutcomes(results: readonly Result[]): Promise<string[]> {
  const days = new Set(results.map(({ outcome }) => utcDay(outcome.at.getTime())));
  const current = await withDayPartitions(days, () => withTransaction(pool(), (client) => record(client, results)));
  wakeRules(
    "state",
    current.filter(({ turn }) => turn !== null).map(({ organization_id }) => organization_id),
  );
  return current.map(({ id }) => id);
}
