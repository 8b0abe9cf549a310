import type pg from "pg";
import { isPartitionMissing } from "@/lib/audit-logs/partitions/partitions";
import { append, type Entry } from "@/lib/audit-logs/write/append";
import { minimalEvent, sanitizeEvent } from "@/lib/audit-logs/write/sanitize-event";
import { log } from "@/lib/log";

/** SQLSTATE classes of errors about the row, not the database: data, integrity, limits, triggers, indexes. */
const ROW_ERRORS = /^(22|23|54|P0|XX)/;

/** The forms of an event to try, from complete to minimal. */
const forms: readonly ((entry: Entry) => Entry)[] = [
  (entry) => entry,
  sanitizeEvent,
  (entry) => minimalEvent(sanitizeEvent(entry)),
];

/**
 * Stores events together. If the database refuses an event, stores it in the first form that is accepted. Events that are already stored
 * are ignored. Returns the events refused in every form. Throws if the database is unavailable.
 */
export async function store(pool: pg.Pool, entries: readonly Entry[]): Promise<Entry[]> {
  if (await appended(pool, entries)) return [];
  const [only] = entries;
  if (entries.length > 1 || !only) {
    const half = entries.length >> 1;
    return [...(await store(pool, entries.slice(0, half))), ...(await store(pool, entries.slice(half)))];
  }
  for (const form of forms.slice(1)) if (await appended(pool, [form(only)])) return [];
  return [only];
}

/** False if the database refused the rows because of their content. */
async function appended(pool: pg.Pool, entries: readonly Entry[]): Promise<boolean> {
  try {
    await append(pool, entries);
    return true;
  } catch (error) {
    if (!isAboutARow(error)) throw error;
    log.error({ err: error, events: entries.length }, "the audit database refused an event");
    return false;
  }
}

function isAboutARow(error: unknown): boolean {
  if (isPartitionMissing(error)) return false;
  return error instanceof Error && "code" in error && ROW_ERRORS.test(String(error.code));
}
