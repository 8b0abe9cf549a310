import { addToGauge, count, observe } from "@/lib/metrics/metrics";
import { processSingleton } from "@/lib/process-singleton";

/** The kinds of work that workers share through leases, as in the metrics. */
export type TaskKind =
  | "alert_evaluation_events"
  | "alert_evaluation_state"
  | "caa_reading"
  | "certificate_check"
  | "checkpoint"
  | "cosignature"
  | "destination"
  | "discovery"
  | "notification"
  | "renewal_request"
  | "uptime_check"
  | "weekly_email";

/** Measures one task. `end` records it with its outcome; null if it was interrupted. */
export function beginTask(kind: TaskKind): { end: (outcome: "done" | "failed" | null) => void } {
  const started = performance.now();
  addToGauge("sealwatch_tasks_in_flight", { kind }, 1);
  return {
    end: (outcome) => {
      addToGauge("sealwatch_tasks_in_flight", { kind }, -1);
      if (outcome === null) return;
      count("sealwatch_tasks_total", { kind, outcome });
      observe("sealwatch_task_duration_seconds", { kind }, (performance.now() - started) / 1000);
    },
  };
}

interface DueTasks {
  sql: string;
  isIndexed: boolean;
}

const dueTasks = processSingleton("jobs.due-tasks", () => new Map<TaskKind, DueTasks>());

/**
 * Adds a kind to the metrics of due work. `sql` selects `due_at` of the tasks of the organization `o` that are due and not leased;
 * `isIndexed` if an index has each organization's tasks by it.
 */
export function countDueTasks(kind: TaskKind, sql: string, { isIndexed = false } = {}): void {
  dueTasks.set(kind, { sql, isIndexed });
}

/** The kinds that `dueTasksSql` counts. */
export function countedKinds(): TaskKind[] {
  return [...dueTasks.keys()];
}

/** A condition: some organization has due tasks of a kind that `countDueTasks` has added. */
export function anyDueSql(kind: TaskKind): string {
  const tasks = dueTasks.get(kind);
  if (tasks === undefined) throw new Error(`due tasks of the kind ${kind} are not counted`);
  // For any task, PostgreSQL reads the whole table if it expects many due ones, which it does where many targets are paused.
  const sql = tasks.isIndexed ? `SELECT FROM (${tasks.sql}) AS due ORDER BY due_at LIMIT 1` : tasks.sql;
  return `EXISTS (SELECT FROM organizations o CROSS JOIN LATERAL (${sql}) AS task)`;
}

/**
 * The statement that counts due tasks: `kind`, `due` and `age` in seconds. Like the statements that lease, it reads one range of an
 * index per organization rather than a table.
 */
export function dueTasksSql(): string {
  return [...dueTasks]
    .map(
      ([kind, { sql }]) => `SELECT '${kind}' AS kind, count(*)::integer AS due,
        coalesce(extract(epoch FROM now() - min(due_at)), 0)::float8 AS age
        FROM organizations o CROSS JOIN LATERAL (${sql}) AS task`,
    )
    .join(" UNION ALL ");
}
