import { setTimeout as delay } from "node:timers/promises";
import { config, requireSetting, sharedStore } from "@/lib/config";
import { holdLock, lockClasses } from "@/lib/db/hold-lock";
import { FallbackStore } from "@/lib/rate-limits/fallback-store";
import { openStore } from "@/lib/rate-limits/open-store";
import { EXIT_REFUSED } from "@/server/child";

/** A web process that was just killed may still hold its lock. */
const LOCK_TIMEOUT_MS = 10_000;

/** Prints the reason and exits with the code that prevents a restart. */
function refuse(sentence: string): never {
  console.error(sentence);
  process.exit(EXIT_REFUSED);
}

/** A web process that counts rate limits in its own memory must be the only one on its database. With a shared store there may be many. */
async function takeWebLock(): Promise<void> {
  const giveUp = Date.now() + LOCK_TIMEOUT_MS;
  const sharing = sharedStore(config()) === null ? "alone" : "shared";
  const lost = () =>
    refuse("Another web process took over this database while the connection was lost. This process stops.");
  while ((await holdLock(requireSetting("DATABASE_URL"), lockClasses.web, 1, lost, sharing)) === null) {
    if (Date.now() > giveUp) {
      refuse(
        sharing === "alone"
          ? "Another Sealwatch web process uses this database. Rate limits are counted in memory, so a second one would double them. Set REDIS_URL, or UPSTASH_REDIS_REST_URL and UPSTASH_REDIS_REST_TOKEN, for both to run several of them."
          : "Another Sealwatch web process uses this database and counts rate limits in its own memory. Stop it, or give it the same shared store.",
      );
    }
    await delay(250);
  }
}

/** Tries the rate-limit store before the first request. If it is unavailable, the start goes on; if it refuses the credentials, it ends. */
async function checkStore(): Promise<void> {
  const store = openStore();
  if (!(store instanceof FallbackStore)) return;
  try {
    await store.tryOut();
  } catch (error) {
    const reason = /\b(WRONGPASS|NOAUTH|NOPERM)\b[^,.]*/.exec(String(error))?.[0];
    if (reason) refuse(`The rate-limit store (${sharedStore(config())}) refuses us: ${reason}.`);
  }
}

/** Makes sure that rate limits hold with any number of processes on this database, or exits with the reason. */
export async function secureLimits(): Promise<void> {
  await takeWebLock();
  await checkStore();
}
