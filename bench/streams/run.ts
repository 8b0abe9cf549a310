import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { createLargest, fill } from "@/bench/audit/fill";
import { SERVER_KEYS } from "@/bench/keys";
import { row } from "@/bench/measure";
import { measureBehind } from "@/bench/streams/behind";
import { measureBeside } from "@/bench/streams/beside";
import { createSender, startSink } from "@/bench/streams/sender";
import { sealEvents } from "@/lib/audit-logs/seal/sealer";
import { signCheckpoints } from "@/lib/audit-logs/sign/sign-checkpoints";
import { configure } from "@/lib/config";
import { auditPool } from "@/lib/db/audit";
import { streamDue } from "@/lib/destinations/sending/stream-due";
import { closeDatabases } from "@/server/database/close-databases";
import { withDatabases } from "@/server/database/databases";

/** Of all organizations together; half of them are of the largest. */
const EVENTS_PER_SECOND = 200;
const never = new AbortController().signal;

/** Measures how fast one process sends a backlog to a receiver on this machine, and whether its memory grows meanwhile. */
export async function streamsBench(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      ...{ events: { type: "string", default: "200000" }, data: { type: "string", default: ".data" } },
      ...{ rounds: { type: "string", default: "7" }, seconds: { type: "string", default: "5" } },
      behind: { type: "string" },
    },
  });
  const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)];
  const isBehind = values.behind !== undefined;
  const count = Number(values.behind ?? values.events);
  const env = {
    PROBE_ALLOWED_NETWORKS: "127.0.0.0/8",
    ...SERVER_KEYS,
  };
  configure({ DATA_DIR: resolve(values.data, `bench-streams-${isBehind ? "behind-" : ""}${count}`), ...env });
  await withDatabases(async () => {
    await createLargest();
    const spanMs = Math.ceil(count / EVENTS_PER_SECOND) * 1000;
    await fill(auditPool(), count, { spanMs, ...(isBehind && { share: 1 }) });
    await sealEvents(never);
    await signCheckpoints(never);
    row("events", "what", "measured", "");
    row("---:", "---", "---", "---");
    const { sink, url } = await startSink(isBehind ? ["--check"] : []);
    try {
      if (isBehind) await measureBehind(await createSender(url), url);
      else {
        const { label, id } = await measure(url);
        await measureBeside(label, id, { rounds, seconds, env });
      }
    } finally {
      sink.kill();
    }
    await closeDatabases();
  });
}

async function measure(url: string): Promise<{ label: string; id: string }> {
  const read = await createSender(url);
  const events = (await read()).lag?.entries ?? 0;
  const rss: number[] = [];
  const timer = setInterval(() => rss.push(process.memoryUsage.rss()), 200);
  const [started, { user, system }] = [performance.now(), process.cpuUsage()];
  while (((await read()).lag?.entries ?? 0) > 0) await streamDue(never);
  const seconds = (performance.now() - started) / 1000;
  const used = process.cpuUsage();
  clearInterval(timer);
  const own = (used.user + used.system - user - system) / 1e6;
  const { id, sent_events } = await read();
  const label = events.toLocaleString("en");
  row(
    label,
    "sending a backlog",
    `${Math.round(sent_events / seconds)} events/s`,
    `${Math.round(sent_events / own)} per second of the worker's processor time`,
  );
  const half = Math.floor(rss.length / 2);
  const most = (values: number[]) => `${Math.round(Math.max(...values) / 2 ** 20)} MiB`;
  row(label, "memory, first and second half", `${most(rss.slice(0, half))}, ${most(rss.slice(half))}`, "");
  return { label, id };
}
