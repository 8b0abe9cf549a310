import { LARGEST } from "@/bench/audit/events";
import { ms, percentile, row } from "@/bench/measure";
import { filters } from "@/lib/audit-logs/filters";
import { readPage } from "@/lib/audit-logs/read/pages";
import { dropExpired } from "@/lib/audit-logs/retain/retention";
import { scopeOf } from "@/lib/audit-logs/scope/scope";
import { auditPool } from "@/lib/db/audit";
import { DAY_MS } from "@/lib/time/units";

/** Days to keep for the reads. */
const LEFT = 2;
const READS = 300;

/** Drops all days except the last two, as if a year had passed, while pages are read. This deletes the events for good. */
export async function measureRetention(label: string): Promise<void> {
  const count = async () => {
    const { rows } = await auditPool().query<{ events: string }>("SELECT count(*) AS events FROM audit_events");
    return Number(rows[0]?.events);
  };
  const before = await count();
  // As if they were sealed: others are not dropped.
  await auditPool().query("TRUNCATE audit_seal_queue");
  const scope = await scopeOf(LARGEST);
  const read = async () => {
    const since = new Date(Date.now() - DAY_MS).toISOString();
    const started = performance.now();
    await readPage(scope, filters.parse({ since, status: "4xx" }), "desc", 51, null);
    return performance.now() - started;
  };
  for (let warm = 0; warm < READS / 10; warm++) await read();
  const quiet: number[] = [];
  while (quiet.length < READS) quiet.push(await read());

  const beside: number[] = [];
  let dropping = true;
  const reading = (async () => {
    while (dropping) beside.push(await read());
  })();
  const started = performance.now();
  const dropped = await dropExpired(Date.now() + (365 - LEFT) * DAY_MS);
  const taken = performance.now() - started;
  dropping = false;
  await reading;
  row(
    label,
    "retention",
    `${(before - (await count())).toLocaleString("en")} events in ${dropped.length} tables dropped in ${ms(taken)}`,
    `page p95 ${ms(percentile(beside, 0.95))} meanwhile, ${ms(percentile(quiet, 0.95))} before`,
  );
}
