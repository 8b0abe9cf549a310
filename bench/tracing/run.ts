import { parseArgs } from "node:util";
import { makeKeys } from "@/bench/keys";
import { load } from "@/bench/load";
import { percentile, row } from "@/bench/measure";
import { liftedLimits } from "@/e2e/support/servers/lifted-limits";
import { startSealwatch } from "@/e2e/support/servers/sealwatch";
import { startTraceCollector } from "@/e2e/support/stand-ins/trace-collector";
import { newId } from "@/lib/ids";
import { beginSpan, requestSpan, span } from "@/lib/tracing/span";
import { parseTraceParent } from "@/lib/tracing/trace-parent";

const PATH = "/api/v1/certificates";
const CONNECTIONS = 32;
const KEYS = 100;
const CALLS = 200_000;
/** More than a request has: identify, limit, verb, commit, and their statements. */
const STEPS = 6;
const STATEMENTS = 10;

const median = (values: readonly number[]) => percentile(values, 0.5);
const NONE = {};

/** Nanoseconds per round of `work`. */
async function nanoseconds(work: () => Promise<void>): Promise<number> {
  for (let n = 0; n < CALLS / 10; n++) await work();
  const started = process.hrtime.bigint();
  for (let n = 0; n < CALLS; n++) await work();
  return Number(process.hrtime.bigint() - started) / CALLS;
}

/** What the calls of one request cost without a tracer, in nanoseconds. */
async function costWhileOff(): Promise<number> {
  const done = Promise.resolve();
  const work = () => done;
  const bare = async () => {
    for (let step = 0; step < STEPS; step++) await work();
  };
  const traced = () =>
    requestSpan("GET /", NONE, parseTraceParent(undefined), async () => {
      for (let step = 0; step < STEPS; step++) await span("step", NONE, () => work());
      for (let statement = 0; statement < STATEMENTS; statement++) beginSpan(() => ["SELECT", NONE]);
    });
  const differences: number[] = [];
  for (let round = 0; round < 5; round++) {
    const without = await nanoseconds(bare);
    differences.push((await nanoseconds(traced)) - without);
  }
  return Math.max(0, median(differences));
}

/**
 * Measures what traces cost: while they are not exported, by the time of the calls themselves, because the difference between two servers
 * is smaller than the noise; and while they are exported, by the rate of requests.
 */
export async function tracingBench(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { rounds: { type: "string", default: "5" }, seconds: { type: "string", default: "4" } },
  });
  const collector = await startTraceCollector();
  const servers = [
    await startSealwatch({ ...liftedLimits }),
    await startSealwatch({ ...liftedLimits, OTEL_EXPORTER_OTLP_ENDPOINT: collector.sink.url }),
  ];
  try {
    const cost = await costWhileOff();
    const subjects: { url: string; secrets: string[]; rates: number[] }[] = [];
    for (const server of servers) {
      const secrets = await makeKeys(server.databases.app, newId(), KEYS);
      subjects.push({ url: server.url, secrets, rates: [] });
    }
    for (let round = -1; round < Number(values.rounds); round++) {
      const inTurn = round % 2 === 0 ? subjects : [...subjects].reverse();
      for (const { url, secrets, rates } of inTurn) {
        const ms = Number(values.seconds) * 1000;
        const { rate } = await load({ url, path: PATH, secrets, connections: CONNECTIONS, ms });
        // An extra round before the first warms up.
        if (round >= 0) rates.push(rate);
        collector.sink.arrivals.length = 0;
      }
    }
    const [off = [], on = []] = subjects.map(({ rates }) => rates);
    const rate = median(off);
    row("what", "requests/s", "ratio");
    row("---", "---:", "---:");
    row("not exported, against no calls at all", Math.round(rate), (1 / (1 + (cost / 1e9) * rate)).toFixed(4));
    row(
      "exported, against not exported",
      Math.round(median(on)),
      median(on.map((each, n) => each / (off[n] ?? each))).toFixed(2),
    );
    process.stdout.write(`\nThe calls of a request take ${(cost / 1000).toFixed(2)} µs while nothing is exported.\n`);
  } finally {
    for (const server of servers) await server.destroy();
    collector.sink.close();
  }
}
