import { LARGEST } from "@/bench/audit/events";
import { ms, percentile, row } from "@/bench/measure";
import { filters } from "@/lib/audit-logs/filters";
import { readPage } from "@/lib/audit-logs/pages";
import { dropExpired } from "@/lib/audit-logs/retention";
import { scopeOf } from "@/lib/audit-logs/scope";
import { auditPool } from "@/lib/db/audit";

/** Drops everything, as if 455 days had passed, while pages are read. What was filled is gone afterwards. */
export async function measureRetention(): Promise<void> {
  const { rows } = await auditPool().query<{ events: string }>("SELECT count(*) AS events FROM audit_events");
  const scope = await scopeOf(LARGEST);
  const pages: number[] = [];
  let done = false;
  const reading = (async () => {
    while (!done) {
      const started = performance.now();
      await readPage(
        scope,
        filters.parse({ since: new Date(Date.now() - 86_400_000).toISOString() }),
        "desc",
        51,
        null,
      );
      pages.push(performance.now() - started);
    }
  })();
  const started = performance.now();
  const dropped = await dropExpired(Date.now() + 455 * 86_400_000);
  const taken = performance.now() - started;
  done = true;
  await reading;
  row(
    "retention",
    `${rows[0]?.events} events, ${dropped.length} partitions dropped in ${ms(taken)}`,
    `pages meanwhile p95 ${ms(percentile(pages, 0.95))}`,
  );
}
