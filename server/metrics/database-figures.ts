import { setTimeout as delay } from "node:timers/promises";
import { countDueWitnesses } from "@/lib/audit-logs/cosign/count-due";
import { pool } from "@/lib/db/app";
import { countDestinations, longestLag } from "@/lib/destinations/figures";
import { countDueDestinations } from "@/lib/destinations/sending/count-due";
import { countedKinds, dueTasksSql, type TaskKind } from "@/lib/jobs/tasks";
import type { NameOf } from "@/lib/metrics/catalog";
import { addToGauge, onRead, removeGauge, removeGaugeValue, setGauge } from "@/lib/metrics/metrics";
import { readOutboxFigures, readSealingFigures, readSigningFigures } from "@/lib/operator/figures";

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

/** Reports what waits in the databases, the same from each worker. */
export function reportDatabaseFigures(): void {
  onReadDatabase(
    "outbox",
    without(["sealwatch_outbox_events", "sealwatch_outbox_refused_events", "sealwatch_outbox_oldest_age_seconds"]),
    async () => {
      const { waiting, refused, age } = await readOutboxFigures("health");
      setGauge("sealwatch_outbox_events", {}, waiting);
      setGauge("sealwatch_outbox_refused_events", {}, refused);
      setGauge("sealwatch_outbox_oldest_age_seconds", {}, age);
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
  onReadDatabase("destinations", without(["sealwatch_destinations"]), async () => {
    for (const [state, count] of Object.entries(await countDestinations())) {
      setGauge("sealwatch_destinations", { state }, count);
    }
  });
  onReadDatabase("lag of destinations", without(["sealwatch_destination_lag_seconds"]), async () => {
    setGauge("sealwatch_destination_lag_seconds", {}, await longestLag());
  });
  onReadDatabase(
    "sealing",
    without(["sealwatch_seal_waiting_events", "sealwatch_seal_oldest_age_seconds", "sealwatch_seal_faulty_logs"]),
    async () => {
      const { waiting, age, faulty } = await readSealingFigures("health");
      setGauge("sealwatch_seal_waiting_events", {}, waiting);
      setGauge("sealwatch_seal_oldest_age_seconds", {}, age);
      setGauge("sealwatch_seal_faulty_logs", {}, faulty);
    },
  );
  onReadDatabase("signing", without(["sealwatch_seal_unsigned_age_seconds"]), async () => {
    setGauge("sealwatch_seal_unsigned_age_seconds", {}, (await readSigningFigures("health")).age);
  });
}
