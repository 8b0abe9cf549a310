import { setTimeout as delay } from "node:timers/promises";
import type { Filters } from "@/lib/audit-logs/filters";
import {
  endOfLog,
  type LogCursor,
  MAX_ARRIVAL_DELAY_MS,
  newEvents,
  type Position,
} from "@/lib/audit-logs/read/new-events";
import { findSeals } from "@/lib/audit-logs/seal/find-seals";
import { auditPool } from "@/lib/db/audit";
import { idAt } from "@/lib/ids";
import { processSingleton } from "@/lib/process-singleton";

const POLL_MS = 1_000;
/** Maximum reads that are kept for other streams, each for as long as the time between two polls. */
const MAX_READS = 32;

/** The result of polling the end of the log, for all streams of the process. */
interface Poll {
  /** The end of the log at the previous poll, and its current end. */
  before: Position;
  end: Position;
  /** Start of the poll, Unix milliseconds. */
  at: number;
  /** Organizations with streams but without events between the two. */
  idle: ReadonlySet<string>;
}

/** Follows the log for all streams of the process: one poll per second in total, and one read for all streams with the same query. */
class Tail {
  readonly #streams = new Map<string, number>();
  readonly #reads = new Map<string, ReturnType<typeof readWithSeals>>();
  #end: Position | undefined;
  #polling: Promise<Poll> | undefined;

  /** Includes an organization in polls until the returned function is called. */
  follow(organizationId: string): () => void {
    this.#streams.set(organizationId, (this.#streams.get(organizationId) ?? 0) + 1);
    return () => {
      const others = (this.#streams.get(organizationId) ?? 1) - 1;
      if (others > 0) this.#streams.set(organizationId, others);
      else this.#streams.delete(organizationId);
    };
  }

  /** The next poll. Rejects if the audit database cannot be queried. */
  next(): Promise<Poll> {
    this.#polling ??= this.#poll().finally(() => {
      this.#polling = undefined;
    });
    return this.#polling;
  }

  /** Like `newEvents`, with the events' seals, shared by all streams with the same cursor and filters. */
  read(organizationId: string, filters: Filters, cursor: LogCursor): ReturnType<typeof readWithSeals> {
    const key = JSON.stringify([organizationId, filters, cursor.position]);
    const shared = this.#reads.get(key);
    if (shared) return shared;
    const reading = readWithSeals(organizationId, filters, cursor);
    this.#reads.set(key, reading);
    const [oldest] = this.#reads.keys();
    if (oldest !== undefined && this.#reads.size > MAX_READS) this.#reads.delete(oldest);
    const forget = () => this.#reads.get(key) === reading && this.#reads.delete(key);
    reading.catch(forget);
    setTimeout(forget, POLL_MS).unref();
    return reading;
  }

  async #poll(): Promise<Poll> {
    await delay(POLL_MS);
    this.#reads.clear();
    const at = Date.now();
    const followed = [...this.#streams.keys()];
    const end = await endOfLog();
    const before = this.#end ?? end;
    const active = before.written === end.written ? [] : await withNewEvents(followed, before, end, at);
    this.#end = end;
    return { before, end, at, idle: new Set(followed.filter((id) => !active.includes(id))) };
  }
}

async function readWithSeals(organizationId: string, filters: Filters, cursor: LogCursor) {
  const read = await newEvents(organizationId, filters, cursor);
  return { ...read, seals: await findSeals(read.rows, auditPool("stream")) };
}

/** The organizations with events that became visible between two ends of the log. */
async function withNewEvents(ids: string[], before: Position, end: Position, at: number): Promise<string[]> {
  const { rows } = await auditPool("stream").query<{ id: string }>(
    `SELECT id FROM unnest($1::uuid[]) AS organization (id) WHERE EXISTS (
       SELECT FROM audit_events e
       WHERE e.organization_id = organization.id AND e.written > $2::xid8 AND e.written <= $3::xid8 AND e.id >= $4
     )`,
    [ids, before.written, end.written, idAt(at - MAX_ARRIVAL_DELAY_MS)],
  );
  return rows.map(({ id }) => id);
}

/** The process's only instance. */
export function tail(): Tail {
  return processSingleton("audit-logs.tail", () => new Tail());
}
