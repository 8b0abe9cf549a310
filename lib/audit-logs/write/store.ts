import type pg from "pg";
import { isPartitionMissing } from "@/lib/audit-logs/retain/partitions";
import { append, type Entry } from "@/lib/audit-logs/write/append";
import { minimalEvent, sanitizeEvent } from "@/lib/audit-logs/write/sanitize-event";
import { log } from "@/lib/log";

/** SQLSTATE classes that say something about the row, not about the database: data, integrity, limits, triggers, indexes. */
const ABOUT_THE_ROW = /^(22|23|54|P0|XX)/;

/** From the whole event to what is left of it when a database refuses nearly everything. */
const forms: readonly ((entry: Entry) => Entry)[] = [
  (entry) => entry,
  sanitizeEvent,
  (entry) => minimalEvent(sanitizeEvent(entry)),
];

/**
 * Stores events at once; where the database refuses one as it is, that one in the first form that it takes. What is stored
 * already changes nothing. Returns those that it takes in no form. Throws when the database is away.
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

/** False when the database refused them for what they are. */
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
  return error instanceof Error && "code" in error && ABOUT_THE_ROW.test(String(error.code));
}
