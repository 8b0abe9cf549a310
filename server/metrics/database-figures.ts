import { setTimeout as delay } from "node:timers/promises";
import { countDueWitnesses } from "@/lib/audit-logs/cosign/count-due";
import { pool } from "@/lib/db/app";
import { auditPool } from "@/lib/db/audit";
import { countDueDestinations } from "@/lib/destinations/sending/count-due";
import { countedKinds, dueTasksSql, type TaskKind } from "@/lib/jobs/tasks";
import type { NameOf } from "@/lib/metrics/catalog";
import { addToGauge, onRead, removeGauge, removeGaugeValue, setGauge } from "@/lib/metrics/metrics";

/** Less than the supervisor's limit, so that a hanging database takes away only its own figures; in milliseconds. */
const LIMIT_MS = 2_500;
/** More frequent scrapes get the same figures; in milliseconds. */
const MAX_AGE_MS = 10_000;

type Gauge = NameOf<"gauge">;

/** Sets gauges from a query that runs at most every `MAX_AGE_MS`. If it fails or is late, `leaveOut` removes them. */
function onReadDatabase(key: string, leaveOut: () => void, query: () => Promise<void>): void {
  let doneAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<boolean> | undefined;
  const ask = async () => {
    try {
      await query();
      doneAt = performance.now();
      return true;
    } catch {
      // The pools log that their database is unavailable.
      return false;
    }
  };
  onRead(key, async () => {
    if (performance.now() - doneAt < MAX_AGE_MS) return;
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    const isDone = await Promise.race([asking, delay(LIMIT_MS, false, { ref: false })]);
    if (!isDone) leaveOut();
  });
}

const without = (gauges: readonly Gauge[]) => () => {
  for (const gauge of gauges) removeGauge(gauge);
};

function setDue(kind: TaskKind, { due, age }: { due: number; age: number }): void {
  setGauge("sealwatch_tasks_due", { kind }, due);
  setGauge("sealwatch_tasks_oldest_due_age_seconds", { kind }, age);
  // 0 rather than absent before the first task.
  addToGauge("sealwatch_tasks_in_flight", { kind }, 0);
}

const withoutDue = (kinds: () => readonly TaskKind[]) => () => {
  for (const kind of kinds()) {
    removeGaugeValue("sealwatch_tasks_due", { kind });
    removeGaugeValue("sealwatch_tasks_oldest_due_age_seconds", { kind });
  }
};

/** The kinds of tasks that the monitoring database alone cannot count. */
const otherTasks = [
  ["cosignature", countDueWitnesses],
  ["destination", countDueDestinations],
] as const;

/** The rows that wait, counted up to a million. */
const OUTBOX = `SELECT count(*) FILTER (WHERE refused_at IS NULL)::integer AS waiting, count(refused_at)::integer AS refused,
    coalesce(extract(epoch FROM now() - min(created_at) FILTER (WHERE refused_at IS NULL)), 0)::float8 AS age
  FROM (SELECT created_at, refused_at FROM audit_outbox WHERE complete ORDER BY created_at LIMIT 1000000) AS row`;

const SEALING = `SELECT coalesce(sum(cardinality(ids)), 0)::integer AS waiting,
    coalesce(extract(epoch FROM now() - min(queued_at)), 0)::float8 AS age,
    (SELECT count(*)::integer FROM audit_seal_checks WHERE first_wrong_index IS NOT NULL) AS faulty
  FROM audit_seal_queue`;

interface Waiting {
  waiting: number;
  age: number;
}

/** Reports what waits in the databases, the same from each worker. */
export function reportDatabaseFigures(): void {
  onReadDatabase(
    "outbox",
    without(["sealwatch_outbox_events", "sealwatch_outbox_refused_events", "sealwatch_outbox_oldest_age_seconds"]),
    async () => {
      const { rows } = await pool("health").query<Waiting & { refused: number }>(OUTBOX);
      setGauge("sealwatch_outbox_events", {}, rows[0]?.waiting ?? 0);
      setGauge("sealwatch_outbox_refused_events", {}, rows[0]?.refused ?? 0);
      setGauge("sealwatch_outbox_oldest_age_seconds", {}, rows[0]?.age ?? 0);
    },
  );
  onReadDatabase("tasks", withoutDue(countedKinds), async () => {
    const { rows } = await pool("health").query<{ kind: TaskKind; due: number; age: number }>(dueTasksSql());
    for (const { kind, ...figures } of rows) setDue(kind, figures);
  });
  for (const [kind, countDue] of otherTasks) {
    onReadDatabase(
      `tasks of the kind ${kind}`,
      withoutDue(() => [kind]),
      async () => setDue(kind, await countDue()),
    );
  }
  onReadDatabase(
    "sealing",
    without(["sealwatch_seal_waiting_events", "sealwatch_seal_oldest_age_seconds", "sealwatch_seal_faulty_logs"]),
    async () => {
      const { rows } = await auditPool("health").query<Waiting & { faulty: number }>(SEALING);
      setGauge("sealwatch_seal_waiting_events", {}, rows[0]?.waiting ?? 0);
      setGauge("sealwatch_seal_oldest_age_seconds", {}, rows[0]?.age ?? 0);
      setGauge("sealwatch_seal_faulty_logs", {}, rows[0]?.faulty ?? 0);
    },
  );
}
