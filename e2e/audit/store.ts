import { append } from "@/lib/audit-logs/append";
import type { AuditRow } from "@/lib/audit-logs/recording";
import { type Principal, systemPrincipal } from "@/lib/auth/principal";
import { auditPool } from "@/lib/db/audit";
import { newId } from "@/lib/ids";

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/**
 * Someone who reads the log of an organization that only its events know of: nothing but the test's own ends up there. Its plan is
 * the smallest, with 30 days.
 */
export function reader(): Principal {
  return systemPrincipal(newId());
}

/** Stores events the way the writer does, in batches. */
export async function store(rows: readonly AuditRow[]): Promise<void> {
  for (let from = 0; from < rows.length; from += 200) {
    await append(
      auditPool(),
      rows.slice(from, from + 200).map((row) => ({ row, body: null })),
    );
  }
}
