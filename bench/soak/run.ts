import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import pg from "pg";
import { makeKeys } from "@/bench/keys";
import { load, type Write } from "@/bench/load";
import { memoryOf, percentile, row } from "@/bench/measure";
import { signIn, visit } from "@/bench/pages";
import { ORGANIZATION, plant } from "@/bench/probe/endpoints";
import { startFarm } from "@/bench/probe/start-farm";
import { liftedLimits } from "@/e2e/support/servers/lifted-limits";
import { type Sealwatch, startSealwatch } from "@/e2e/support/servers/sealwatch";

const HOUR_SECONDS = 3600;
const KEYS = 100;
const SAMPLE_MS = 5000;
/** The samples are summarized by tenths of the duration. */
const PARTS = 10;
const READS_PER_SECOND = 30;
const WRITES_PER_SECOND = 2;
const EACH_MINUTE_MS = 60_000;
const API = "/api/v1";
/** What people open, in turn. */
const PAGES = [
  "/",
  "/audit-logs",
  "/certificates",
  "/uptime",
  "/statistics",
  "/security-events",
  "/api-keys",
  "/alerts",
];

const PROCESSES = ["web", "worker", "supervisor"] as const;

let created = 0;
/** Creates an endpoint that nothing checks. */
const create = (): Write => ({
  method: "POST",
  path: `${API}/certificates/endpoints`,
  body: { host: `soak-${created++}.example.test`, port: 443, reported: true },
});

/** Follows the event stream and exports the last hour, once a minute, as collectors do. */
async function collect({ url }: Sealwatch, secret: string, signal: AbortSignal): Promise<void> {
  const headers = { authorization: `Bearer ${secret}` };
  while (!signal.aborted) {
    const minute = AbortSignal.any([signal, AbortSignal.timeout(EACH_MINUTE_MS)]);
    const from = new Date(Date.now() - HOUR_SECONDS * 1000).toISOString();
    const file = await fetch(`${url}${API}/audit-logs/export?format=ndjson&since=${from}`, { headers });
    if (file.status !== 200) throw new Error(`an export was answered with ${file.status}`);
    for await (const _ of file.body ?? []) if (signal.aborted) return;
    try {
      const stream = await fetch(`${url}${API}/audit-logs/stream`, { headers, signal: minute });
      if (stream.status !== 200) throw new Error(`the stream was answered with ${stream.status}`);
      for await (const _ of stream.body ?? []);
    } catch (error) {
      if (!minute.aborted) throw error;
    }
  }
}

/** Samples of each process's memory in MiB, until the signal. */
async function sample(server: Sealwatch, signal: AbortSignal) {
  const pids = server.pids();
  const samples = PROCESSES.map((name) => ({ name, pid: pids[name] ?? 0, memoryMiB: [] as number[] }));
  while (!signal.aborted) {
    for (const { pid, memoryMiB } of samples) memoryMiB.push(memoryOf(pid));
    await delay(SAMPLE_MS, undefined, { signal }).catch(() => undefined);
  }
  return samples;
}

/**
 * Watches the memory of a Sealwatch with one web process and one worker under mixed load: requests that read and write, pages, exports,
 * an event stream, and endpoints that are each checked once an hour. The first tenth is the time to warm up.
 */
export async function soakBench(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      minutes: { type: "string", default: "60" },
      endpoints: { type: "string", default: "100000" },
      certificates: { type: "string", default: "500" },
    },
  });
  const seconds = Number(values.minutes) * 60;
  const { farm, stop } = await startFarm(Number(values.certificates));
  const server = await startSealwatch({ PROBE_ALLOWED_NETWORKS: "127.0.0.0/8", ...liftedLimits });
  const client = new pg.Client({ connectionString: server.databases.app });
  try {
    await client.connect();
    const secrets = await makeKeys(server.databases.app, ORGANIZATION, KEYS);
    const [secret = ""] = secrets;
    await plant(client, farm, Number(values.endpoints), { overSeconds: HOUR_SECONDS });
    await client.query("UPDATE organizations SET plan = 'enterprise' WHERE id = $1", [ORGANIZATION]);
    const cookie = await signIn(server, client);
    const options = { url: server.url, secrets, ms: seconds * 1000 };
    const ended = AbortSignal.timeout(seconds * 1000);
    const [reads, writes, pages, samples] = await Promise.all([
      load({ ...options, path: `${API}/certificates?limit=10`, connections: 16, rate: READS_PER_SECOND }),
      load({ ...options, path: "", write: create, connections: 4, rate: WRITES_PER_SECOND }),
      visit(server, cookie, PAGES, seconds),
      sample(server, ended),
      collect(server, secret, ended),
    ]);
    printSamples(samples);
    const answered = [reads.latencies, writes.latencies, pages].map(({ length }) => length.toLocaleString("en"));
    process.stdout.write(`${answered[0]} reads, ${answered[1]} writes and ${answered[2]} pages were answered.\n`);
  } finally {
    await client.end();
    await server.destroy();
    stop();
  }
}

/** The median of each tenth of the samples, the most of all, and the last tenth against the second. */
function printSamples(samples: Awaited<ReturnType<typeof sample>>): void {
  const heads = Array.from({ length: PARTS }, (_, part) => `${part + 1}`);
  row("process", ...heads, "most", "last to second");
  row("---", ...heads.map(() => "---:"), "---:", "---:");
  for (const { name, memoryMiB } of samples) {
    const medians = heads.map((_, part) => {
      const [from, to] = [part, part + 1].map((edge) => Math.round((edge * memoryMiB.length) / PARTS));
      return percentile(memoryMiB.slice(from, to), 0.5);
    });
    const grown = (medians.at(-1) ?? 0) / (medians[1] ?? 1);
    row(
      name,
      ...medians.map((median) => Math.round(median)),
      `${Math.round(Math.max(...memoryMiB))} MiB`,
      grown.toFixed(2),
    );
  }
}
