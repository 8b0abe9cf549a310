import pg from "pg";
import { DAYS, events, LARGEST } from "@/bench/audit/events";
import { multiply } from "@/bench/audit/multiply";
import { foldDeltas } from "@/lib/audit-logs/count/fold-deltas";
import { createDayPartitions } from "@/lib/audit-logs/partitions/partitions";
import { append, type Entry } from "@/lib/audit-logs/write/append";
import { requireSetting } from "@/lib/config";
import { db } from "@/lib/db/app";
import { DAY_MS, HOUR_MS } from "@/lib/time/units";

const BATCH = 500;
/** Concurrent batches, so that the next is built while PostgreSQL stores the last. */
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

/** Creates the organization with half of the events, unless it is there. */
export async function createLargest(): Promise<void> {
  const settings = { name: "Largest", slug: "largest", plan: "business", auditClasses: [365], createdAt: new Date() };
  await db().organization.upsert({ where: { id: LARGEST }, create: { id: LARGEST, ...settings }, update: {} });
}

/** The number of distinct events. */
const DISTINCT = 200_000;
const TABLES = ["audit_events", "audit_bodies", "audit_rollups", "audit_deltas", "audit_sightings"];

/** How events are spread: over the last 90 days and over organizations, half of them in the largest, unless given. */
interface Spread {
  spanMs?: number;
  /** Of the largest organization. */
  share?: number;
}

/** Fills the log with `count` plausible events: distinct ones through the writer, then copies of them. */
export async function fill(pool: pg.Pool, count: number, spread: Spread = {}): Promise<void> {
  const distinct = Math.min(count, DISTINCT);
  const { rows } = await pool.query<{ events: string }>("SELECT count(*) AS events FROM audit_events");
  const present = Number(rows[0]?.events);
  // Deletes the rows of an interrupted run.
  if (present >= distinct) await foldDeltas();
  if (present >= count) return;
  process.stderr.write(`Filling ${count.toLocaleString("en")} events…\n`);
  if (present !== distinct) {
    await pool.query(`TRUNCATE ${TABLES.join(", ")}`);
    await write(pool, distinct, spread);
    await foldDeltas();
  }
  if (count > distinct) await multiply(pool, Math.round(count / distinct));
  process.stderr.write("Analyzing…\n");
  await analyze();
}

/** Takes minutes, which the pool's time limits do not allow. */
async function analyze(): Promise<void> {
  const client = new pg.Client({ connectionString: requireSetting("AUDIT_DATABASE_URL") });
  await client.connect();
  try {
    await client.query(`VACUUM (ANALYZE) ${TABLES.join(", ")}`);
  } finally {
    await client.end();
  }
}

async function write(pool: pg.Pool, count: number, { spanMs, share }: Spread): Promise<void> {
  // Whole hours, because copies move within their hour.
  const end = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
  // Day by day, as the worker does.
  for (let day = 0; day <= DAYS; day++)
    await createDayPartitions(365, new Date(end - day * DAY_MS).toISOString().slice(0, 10));
  const started = Date.now();
  await store(pool, events(count, end, spanMs, undefined, share), (done) => {
    const rate = Math.round(done / ((Date.now() - started) / 1000));
    process.stderr.write(
      `\r${done.toLocaleString("en")} of ${count.toLocaleString("en")} events, ${rate.toLocaleString("en")}/s   `,
    );
  });
  process.stderr.write("\n");
}
