import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createLargest } from "@/bench/audit/fill";
import { feed } from "@/bench/background/feed";
import { type Usage, usageClock } from "@/bench/background/usage";
import { SERVER_KEYS } from "@/bench/keys";
import { row } from "@/bench/measure";
import { createSender, startSink } from "@/bench/streams/sender";
import { wakeRulesOnEvents } from "@/lib/alerts/evaluation/wake-on-events";
import { configure } from "@/lib/config";
import { auditPool } from "@/lib/db/audit";
import { closeDatabases } from "@/server/database/close-databases";
import { withDatabases } from "@/server/database/databases";
import { jobs } from "@/server/jobs";

const OPTIONS = {
  rate: { type: "string", default: "100" },
  share: { type: "string", default: "0.5" },
  seconds: { type: "string", default: "120" },
  data: { type: "string", default: ".data" },
  feed: { type: "boolean", default: false },
} as const;
const never = new AbortController().signal;

/**
 * Measures the processor time of each job and of its connections while another process stores events. Jobs run one after the other, when
 * they are due, so that what is used during a run is the job's.
 */
export async function backgroundBench(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: OPTIONS });
  const [rate, share, seconds] = [Number(values.rate), Number(values.share), Number(values.seconds)];
  configure({
    DATA_DIR: resolve(values.data, "bench-background"),
    PROBE_ALLOWED_NETWORKS: "127.0.0.0/8",
    ...SERVER_KEYS,
  });
  await withDatabases(async () => {
    if (values.feed) return feed(rate, share);
    await createLargest();
    const { sink, url } = await startSink();
    await createSender(url, "now");
    const feeder = spawn(process.execPath, ["server/start.mjs", "--bench", "background", "--feed", ...args], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    try {
      // What an earlier run left does not count.
      await runJobs(10);
      const before = await countEvents();
      const started = performance.now();
      const used = await runJobs(seconds);
      const passed = (performance.now() - started) / 1_000;
      report(used, passed, (await countEvents()) - before);
    } finally {
      feeder.kill();
      sink.kill();
    }
    await closeDatabases();
  });
}

/** Runs all jobs for some seconds. Returns what each used, by name. */
async function runJobs(seconds: number): Promise<Map<string, Usage & { runs: number }>> {
  wakeRulesOnEvents();
  const end = performance.now() + seconds * 1_000;
  const used = new Map<string, Usage & { runs: number }>();
  const due = new Map(jobs.map((job) => [job, performance.now()]));
  const clock = await usageClock();
  for (let before = await clock(); performance.now() < end; ) {
    const [next] = [...due].sort(([, one], [, other]) => one - other);
    if (next === undefined) break;
    const [job, at] = next;
    const early = at - performance.now();
    if (early > 0) {
      await delay(early);
      before = await clock();
    }
    await job.run(never, () => {});
    const after = await clock();
    const { worker, postgres, runs } = used.get(job.name) ?? { worker: 0, postgres: 0, runs: 0 };
    used.set(job.name, {
      worker: worker + after.worker - before.worker,
      postgres: postgres + after.postgres - before.postgres,
      runs: runs + 1,
    });
    due.set(job, performance.now() + job.everyMs);
    before = after;
  }
  return used;
}

async function countEvents(): Promise<number> {
  const { rows } = await auditPool("report").query<{ events: number }>(
    "SELECT count(*)::float8 AS events FROM audit_events",
  );
  return rows[0]?.events ?? 0;
}

function report(used: ReadonlyMap<string, Usage & { runs: number }>, seconds: number, events: number): void {
  const share = (ms: number) => `${(ms / seconds / 10).toFixed(2)}%`;
  const perEvent = (ms: number) => `${((ms * 1_000) / events).toFixed(0)} µs`;
  const line = (name: string, { worker, postgres, runs }: Usage & { runs: number }) =>
    row(name, runs, share(worker), share(postgres), share(worker + postgres), perEvent(worker), perEvent(postgres));
  row("job", "runs", "worker", "PostgreSQL", "of a core", "worker, per event", "PostgreSQL, per event");
  row("---", "---:", "---:", "---:", "---:", "---:", "---:");
  const all = [...used].sort(([, one], [, other]) => other.worker + other.postgres - one.worker - one.postgres);
  for (const [name, each] of all) line(name, each);
  const sum = (of: (usage: Usage & { runs: number }) => number) => all.reduce((total, [, each]) => total + of(each), 0);
  line(`together, at ${Math.round(events / seconds)} events/s`, {
    worker: sum(({ worker }) => worker),
    postgres: sum(({ postgres }) => postgres),
    runs: sum(({ runs }) => runs),
  });
}
