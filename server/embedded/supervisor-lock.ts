import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { SUPERVISOR_LOCK } from "@/server/embedded/postgres";
import { Refusal } from "@/server/web/refusal";

/** A supervisor that is stopping may still finish requests, and one that was just killed may still hold its lock. */
const LOCK_TIMEOUT_MS = 15_000;

/** Takes the lock of the only supervisor on a data directory, for as long as `lease` is connected. Throws Refusal. */
export async function takeSupervisorLock(lease: pg.Client, dataDir: string): Promise<void> {
  const giveUp = Date.now() + LOCK_TIMEOUT_MS;
  for (let attempt = 0; ; attempt++) {
    const { rows } = await lease.query<{ taken: boolean }>("SELECT pg_try_advisory_lock($1, $2) AS taken", [
      ...SUPERVISOR_LOCK,
    ]);
    if (rows[0]?.taken) return;
    if (Date.now() > giveUp) {
      throw new Refusal(
        `Sealwatch is already running with DATA_DIR ${dataDir}. Stop it first, or set another DATA_DIR and PORT.`,
      );
    }
    if (attempt === 10) console.error(`Sealwatch is still running with DATA_DIR ${dataDir}; waiting for it to stop…`);
    await delay(100);
  }
}
