import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { makeKeys } from "@/bench/keys";
import { load } from "@/bench/load";
import { memoryOf, ms, percentile, row } from "@/bench/measure";
import { signIn, visit } from "@/bench/pages";
import { ORGANIZATION, plant } from "@/bench/probe/endpoints";
import type { Farm } from "@/bench/probe/farm";
import { liftedLimits } from "@/e2e/support/servers/lifted-limits";
import { type Sealwatch, startSealwatch } from "@/e2e/support/servers/sealwatch";

const HOUR_SECONDS = 3600;
const SAMPLE_MS = 2000;
/** One endpoint in twenty never answers. */
const HANGING_EACH = 20;
const REQUESTS_PER_SECOND = 50;
const KEYS = 100;
/** Pages whose content does not depend on checks. */
const PAGES = ["/audit-logs", "/security-events", "/statistics", "/api-keys"];

interface Lag {
  /** In each sample, the seconds that the longest due endpoint has waited for its check to begin. */
  waited: number[];
  memoryMiB: number[];
}

/** Samples how far the worker is behind schedule, until `ended`. */
async function watch(client: pg.Client, worker: number, ended: Promise<unknown>): Promise<Lag> {
  const lag: Lag = { waited: [], memoryMiB: [] };
  let isOver = false;
  const over = ended.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const { rows } = await client.query<{ seconds: number }>(
      `SELECT coalesce(extract(epoch FROM now() - min(next_check_at)), 0)::float AS seconds FROM certificate_endpoints
       WHERE organization_id = $1 AND next_check_at <= now() AND (leased_until IS NULL OR leased_until <= now())`,
      [ORGANIZATION],
    );
    lag.waited.push(rows[0]?.seconds ?? 0);
    lag.memoryMiB.push(memoryOf(worker));
    await Promise.race([over, delay(SAMPLE_MS)]);
  }
  await over;
  return lag;
}

/** Requests to the API at a steady rate. */
function ask(server: Sealwatch, secrets: string[], seconds: number) {
  const path = "/api/v1/certificates?limit=10";
  return load({ url: server.url, path, secrets, connections: 16, ms: seconds * 1000, rate: REQUESTS_PER_SECOND });
}

/** Measures a running Sealwatch with one worker: its delay behind an hourly schedule, its memory, and the response times of API and pages. */
export async function measureSchedule(farm: Farm, count: number, seconds: number): Promise<void> {
  const server = await startSealwatch({ PROBE_ALLOWED_NETWORKS: "127.0.0.0/8", ...liftedLimits });
  const client = new pg.Client({ connectionString: server.databases.app });
  try {
    await client.connect();
    const secrets = await makeKeys(server.databases.app, ORGANIZATION, KEYS);
    const { worker = 0 } = server.pids();
    const cookie = await signIn(server, client);
    const head = [
      "endpoints",
      "due",
      "checks/s",
      "lag, median",
      "longest",
      "worker's memory",
      "API p50",
      "API p99",
      "pages p50",
      "pages p95",
    ];
    row(...head);
    row("---:", "---", ...head.slice(2).map(() => "---:"));
    const measure = async (due: string, options: Parameters<typeof plant>[3]) => {
      await plant(client, farm, count, options);
      const warmUp = Math.min(10, seconds);
      await Promise.all([ask(server, secrets, warmUp), visit(server, cookie, PAGES, warmUp)]);
      const started = Date.now();
      const asking = Promise.all([ask(server, secrets, seconds), visit(server, cookie, PAGES, seconds)]);
      const lag = await watch(client, worker, asking);
      const [{ latencies }, pages] = await asking;
      const { rows } = await client.query<{ checked: number }>(
        "SELECT count(*)::integer AS checked FROM certificate_endpoints WHERE organization_id = $1 AND last_checked_at >= $2",
        [ORGANIZATION, new Date(started)],
      );
      row(
        count.toLocaleString("en"),
        due,
        ((rows[0]?.checked ?? 0) / ((Date.now() - started) / 1000)).toFixed(1),
        `${percentile(lag.waited, 0.5).toFixed(1)} s`,
        `${Math.max(...lag.waited).toFixed(1)} s`,
        `${Math.round(Math.max(...lag.memoryMiB))} MiB`,
        ms(percentile(latencies, 0.5)),
        ms(percentile(latencies, 0.99)),
        ms(percentile(pages, 0.5)),
        ms(percentile(pages, 0.95)),
      );
    };
    await measure("none for a day", { overSeconds: 0, fromSeconds: 24 * HOUR_SECONDS });
    await measure("hourly", { overSeconds: HOUR_SECONDS });
    await measure("hourly, 5% never answer", { overSeconds: HOUR_SECONDS, hangingEach: HANGING_EACH });
  } finally {
    await client.end();
    await server.destroy();
  }
}
