import type pg from "pg";
import { append, type Entry } from "@/lib/audit-logs/append";
import { degrade } from "@/lib/audit-logs/degrade";
import { log } from "@/lib/log";

/** SQLSTATE classes that say something about the row, not about the database: data, integrity, program limits. */
const ABOUT_THE_ROW = /^(22|23|54)/;

/**
 * Stores events at once; where the database refuses one as it is, that one in the form that any takes. What is stored already
 * changes nothing. Throws when the database is away.
 */
export async function store(pool: pg.Pool, entries: readonly Entry[]): Promise<void> {
  try {
    return await append(pool, entries);
  } catch (error) {
    if (!isAboutARow(error)) throw error;
    log.error({ err: error, events: entries.length }, "the audit database refused an event");
  }
  const [only] = entries;
  if (entries.length === 1 && only) return append(pool, [degrade(only)]);
  const half = entries.length >> 1;
  await store(pool, entries.slice(0, half));
  await store(pool, entries.slice(half));
}

function isAboutARow(error: unknown): boolean {
  return error instanceof Error && "code" in error && ABOUT_THE_ROW.test(String(error.code));
}
