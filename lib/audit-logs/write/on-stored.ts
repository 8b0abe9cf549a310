import type { AuditRow } from "@/lib/audit-logs/recording";
import { once } from "@/lib/once";

type Listener = (rows: readonly AuditRow[]) => void;

const listeners = once("audit-logs.on-stored", () => new Set<Listener>());

/** Has `listener` called with the events that this process stores, once they are durable. It returns at once and throws nothing. */
export function onStored(listener: Listener): void {
  listeners.add(listener);
}

/** Calls every listener. */
export function notifyStored(rows: readonly AuditRow[]): void {
  for (const listener of listeners) listener(rows);
}
