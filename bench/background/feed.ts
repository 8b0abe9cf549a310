import { setTimeout as delay } from "node:timers/promises";
import { events } from "@/bench/audit/events";
import { append } from "@/lib/audit-logs/write/append";
import { auditPool } from "@/lib/db/audit";

/** As many statements of a writer per second, at most: at full load, requests share them. */
const BATCHES_PER_SECOND = 100;

/** Stores `rate` plausible events per second, `share` of them of the largest organization, until the process ends. */
export async function feed(rate: number, share: number): Promise<void> {
  const everyMs = 1_000 / BATCHES_PER_SECOND;
  const started = Date.now();
  for (let [stored, seed] = [0, 1]; ; seed++) {
    const due = Math.floor(((Date.now() - started) * rate) / 1_000) - stored;
    if (due > 0) await append(auditPool("write"), [...events(due, Date.now(), everyMs, seed, share)]);
    stored += due;
    await delay(everyMs);
  }
}
