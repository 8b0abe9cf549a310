import pg from "pg";
import { comparePipelines } from "@/bench/audit/pipeline";
import { row } from "@/bench/measure";
import { liftedLimits } from "@/e2e/support/servers/lifted-limits";
import { type Sealwatch, startSealwatch } from "@/e2e/support/servers/sealwatch";

/** Runs a statement as superuser. */
async function query<Row extends pg.QueryResultRow>({ databases }: Sealwatch, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: databases.audit });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Compares requests per second with a server whose queue of events to seal stays empty, and reports the delay of sealing meanwhile. */
export async function measureSealedPipeline(): Promise<void> {
  const sealing = await startSealwatch(liftedLimits);
  try {
    const unsealed = await startSealwatch(liftedLimits);
    try {
      await query(
        unsealed,
        `CREATE FUNCTION public.nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
         CREATE TRIGGER nothing BEFORE INSERT ON audit_seal_queue FOR EACH ROW EXECUTE FUNCTION public.nothing()`,
      );
      const { words, ratio } = await comparePipelines(sealing, unsealed);
      row("", "API with sealing", `${words} without`, `ratio ${ratio}`);
      // Time from the first event of a row, which is before it is stored.
      const [lag] = await query<{ median: number; p99: number }>(
        sealing,
        `SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY late) AS median, percentile_disc(0.99) WITHIN GROUP (ORDER BY late) AS p99
         FROM (SELECT extract(epoch FROM sealed_at - min_at)::float8 AS late FROM audit_seals CROSS JOIN LATERAL unnest(ids)) AS events`,
      );
      row("", "from the request to its seal", `p99 ${lag?.p99.toFixed(1)} s`, `median ${lag?.median.toFixed(1)} s`);
    } finally {
      await unsealed.destroy();
    }
  } finally {
    await sealing.destroy();
  }
}
