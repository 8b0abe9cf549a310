import type { AuditRow } from "@/lib/audit-logs/audit-event-draft";
import { processSingleton } from "@/lib/process-singleton";

type Listener = (rows: readonly AuditRow[]) => void;

const listeners = processSingleton("audit-logs.on-stored", () => new Set<Listener>());

/** Registers a listener for events that this process has stored durably. It must return immediately and not throw. */
export function onStored(listener: Listener): void {
  listeners.add(listener);
}

/** Calls all listeners. */
export function notifyStored(rows: readonly AuditRow[]): void {
  for (const listener of listeners) listener(rows);
}
