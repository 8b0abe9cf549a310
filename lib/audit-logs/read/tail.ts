import { setTimeout as delay } from "node:timers/promises";
import type { Filters } from "@/lib/audit-logs/filters";
import {
  endOfLog,
  type LogCursor,
  MAX_ARRIVAL_DELAY_MS,
  newEvents,
  type Position,
} from "@/lib/audit-logs/read/new-events";
import { auditPool } from "@/lib/db/audit";
import { idAt } from "@/lib/ids";
import { processSingleton } from "@/lib/process-singleton";

const POLL_MS = 1_000;

/** What one look at the end of the log found, for all streams of the process. */
interface Look {
  /** Where the log ended at the look before, and where it ends now. */
  before: Position;
  end: Position;
  /** When the look began, Unix milliseconds. */
  at: number;
  /** Organizations that have streams, and no event between the two. */
  quiet: ReadonlySet<string>;
}

/** Follows the log for all streams of the process: one look a second however many there are, and one read for those that ask the same. */
export class Tail {
  readonly #streams = new Map<string, number>();
  readonly #reads = new Map<string, ReturnType<typeof newEvents>>();
  #end: Position | undefined;
  #looking: Promise<Look> | undefined;

  /** Has looks cover an organization until the returned function is called. */
  follow(organizationId: string): () => void {
    this.#streams.set(organizationId, (this.#streams.get(organizationId) ?? 0) + 1);
    return () => {
      const others = (this.#streams.get(organizationId) ?? 1) - 1;
      if (others > 0) this.#streams.set(organizationId, others);
      else this.#streams.delete(organizationId);
    };
  }

  /** The next look. Rejects when the audit database cannot be asked. */
  next(): Promise<Look> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  /** As `newEvents`, once for all streams that are at the same place and have the same filters. */
  read(organizationId: string, filters: Filters, place: LogCursor): ReturnType<typeof newEvents> {
    const key = JSON.stringify([organizationId, filters, place.position]);
    const shared = this.#reads.get(key);
    if (shared) return shared;
    const reading = newEvents(organizationId, filters, place);
    this.#reads.set(key, reading);
    reading.catch(() => this.#reads.delete(key));
    return reading;
  }

  async #look(): Promise<Look> {
    await delay(POLL_MS);
    this.#reads.clear();
    const at = Date.now();
    const followed = [...this.#streams.keys()];
    const end = await endOfLog();
    const before = this.#end ?? end;
    const loud = before.written === end.written ? [] : await withNewEvents(followed, before, end, at);
    this.#end = end;
    return { before, end, at, quiet: new Set(followed.filter((id) => !loud.includes(id))) };
  }
}

/** Which of the organizations have events that became visible between two ends of the log. */
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

/** The process's only one. */
export function tail(): Tail {
  return processSingleton("audit-logs.tail", () => new Tail());
}
