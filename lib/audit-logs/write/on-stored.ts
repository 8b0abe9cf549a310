import type { AuditRow } from "@/lib/audit-logs/audit-event-draft";
import { processSingleton } from "@/lib/process-singleton";

type Listener = (rows: readonly AuditRow[]) => void;

const listeners = processSingleton("audit-logs.on-stored", () => new Set<Listener>());

/** Has `listener` called with the events that this process stores, once they are durable. It returns at once and throws nothing. */
export function onStored(listener: Listener): void {
  listeners.add(listener);
}

/** Calls every listener. */
export function notifyStored(rows: readonly AuditRow[]): void {
  for (const listener of listeners) listener(rows);
}
