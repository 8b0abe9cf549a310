import type pg from "pg";
import { events } from "@/bench/audit/events";
import { append, type Entry } from "@/lib/audit-logs/append";

const BATCH = 500;
/** Batches under way at once: building the next while PostgreSQL stores the last. */
const CONNECTIONS = 3;

/** Stores events through the writer's own statement. Returns events per second. */
export async function store(pool: pg.Pool, source: Iterable<Entry>, report: (done: number) => void): Promise<number> {
  const started = performance.now();
  const iterator = source[Symbol.iterator]();
  let done = 0;
  const work = async () => {
    for (let batch = take(iterator); batch.length > 0; batch = take(iterator)) {
      await append(pool, batch);
      done += batch.length;
      if (done % 100_000 < BATCH) report(done);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  return done / ((performance.now() - started) / 1000);
}

function take(iterator: Iterator<Entry>): Entry[] {
  const batch: Entry[] = [];
  while (batch.length < BATCH) {
    const { value, done } = iterator.next();
    if (done) break;
    batch.push(value);
  }
  return batch;
}

/** Fills the log with `count` plausible events of the last 90 days. */
export async function fill(pool: pg.Pool, count: number, end: number): Promise<void> {
  const started = Date.now();
  await store(pool, events(count, end), (done) => {
    const rate = Math.round(done / ((Date.now() - started) / 1000));
    process.stderr.write(
      `\r${done.toLocaleString("en")} of ${count.toLocaleString("en")} events, ${rate.toLocaleString("en")}/s   `,
    );
  });
  process.stderr.write("\nAnalyzing…\n");
  await pool.query("VACUUM (ANALYZE) audit_events, audit_bodies, audit_rollups");
}
