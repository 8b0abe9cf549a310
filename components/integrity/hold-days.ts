import type { AuditHold } from "@/lib/audit-logs/hold/contract";
import { DAY_MS } from "@/lib/time/units";

/** Whether an active hold covers events of a UTC day (`start` in Unix milliseconds), judged by its times alone. */
export function isOnHold(holds: readonly AuditHold[], start: number): boolean {
  return holds.some(({ released_at, covers_since, filter }) => {
    const until = new URLSearchParams(filter ?? "").get("until");
    const end = until === null ? Number.POSITIVE_INFINITY : Date.parse(until);
    return released_at === null && Date.parse(covers_since) < start + DAY_MS && end > start;
  });
}
