import { row } from "@/bench/measure";
import { db } from "@/lib/db/app";
import type { Destination } from "@/lib/destinations/contract";
import { streamDue } from "@/lib/destinations/sending/stream-due";

const never = new AbortController().signal;

/** What bench/streams/sink.mjs took. */
interface Seen {
  refused: number;
  requests: number;
  events: number;
  next: number;
  errors: string[];
}

/** Measures how a receiver that was unavailable catches up, and that it gets each entry once and in order. */
export async function measureBehind(read: () => Promise<Destination>, url: string): Promise<void> {
  const seen = async (path: string) => (await (await fetch(url + path)).json()) as Seen;
  await streamDue(never);
  const { state, lag, next } = await read();
  const [label, last] = [(lag?.entries ?? 0).toLocaleString("en"), next.index + (lag?.entries ?? 0)];
  row(label, "while the receiver is away", state, `${(await seen("/seen")).refused} attempts`);
  await seen("/open");
  // The wait after the failure is over.
  await db().destination.updateMany({ data: { nextAt: new Date() } });
  const rss: number[] = [];
  const timer = setInterval(() => rss.push(process.memoryUsage.rss()), 200);
  const [started, { user, system }] = [performance.now(), process.cpuUsage()];
  while (((await read()).lag?.entries ?? 0) > 0) await streamDue(never);
  const [seconds, used] = [(performance.now() - started) / 1000, process.cpuUsage()];
  clearInterval(timer);
  const own = (used.user + used.system - user - system) / 1e6;
  const { events, requests, next: end, errors } = await seen("/seen");
  row(label, "until it has all", `${Math.round(seconds)} s`, `${Math.round(events / seconds)} events/s`);
  row(label, "of the worker's processor time", `${Math.round(events / own)} events/s`, "");
  const quarters = [0, 1, 2, 3].map((at) => rss.slice((at * rss.length) / 4, ((at + 1) * rss.length) / 4));
  const most = quarters.map((values) => Math.round(Math.max(...values) / 2 ** 20));
  row(label, "memory, most in each quarter", `${most.join(", ")} MiB`, "");
  row(
    label,
    "taken",
    `${events.toLocaleString("en")} events in ${requests.toLocaleString("en")} requests`,
    `#0 to #${end - 1}`,
  );
  if (errors.length > 0 || end < last)
    throw new Error(`not in order, or not whole: ${errors.join(", ") || `ends at ${end} of ${last}`}`);
}
