import type pg from "pg";
import { close, connectClient, requirePrimary } from "@/lib/db/connections";
import { log } from "@/lib/log";

/** The purpose of an advisory lock: the first of its two keys. */
export const lockClasses = {
  /** Web processes of a database: exclusive if rate limits are counted in memory, shared with a shared store. */
  web: 0x5ea1_0001,
  /** A process that writes outbox rows; the second key is its number. */
  writer: 0x5ea1_0002,
  /** The worker that builds indexes. */
  indexes: 0x5ea1_0003,
  /** The process that signs checkpoints, or begins an epoch, of the sealed log. */
  signer: 0x5ea1_0004,
  /** The worker that sends the notice of an organization's deletion; the second key is a hash of its id. */
  deletionNotice: 0x5ea1_0005,
  /** The transaction that chooses an organization's default trust store; the second key is a hash of the organization's id. */
  defaultTrustStore: 0x5ea1_0006,
} as const;

const RETRY_MS = 250;

/** Whether the lock is exclusive, or shared with others that also acquire it as `shared`. */
type Sharing = "alone" | "shared";

/** An advisory lock on a separate connection of this process. It is released when the process dies for any reason. */
export interface HeldLock {
  release(): Promise<void>;
}

/**
 * Acquires the lock, or returns null if another session holds it. If the connection breaks later, the lock is acquired again as soon
 * as the database responds; `onLost` is called if another session holds it by then.
 */
export async function holdLock(
  url: string,
  lockClass: number,
  key: number,
  onLost: () => void,
  sharing: Sharing = "alone",
): Promise<HeldLock | null> {
  let released = false;
  let client = await take(url, lockClass, key, sharing, onBroken);
  if (client === null) return null;

  function onBroken(): void {
    if (released) return;
    client = null;
    setTimeout(() => void retake(), RETRY_MS);
  }

  async function retake(): Promise<void> {
    if (released) return;
    try {
      const taken = await take(url, lockClass, key, sharing, onBroken);
      if (released) {
        if (taken !== null) await close(taken);
        return;
      }
      client = taken;
      if (client === null) onLost();
    } catch (error) {
      log.debug({ err: error }, "the database of a held lock is unavailable");
      setTimeout(() => void retake(), RETRY_MS);
    }
  }

  return {
    async release() {
      released = true;
      if (client !== null) await close(client);
    },
  };
}

async function take(
  url: string,
  lockClass: number,
  key: number,
  sharing: Sharing,
  onBroken: () => void,
): Promise<pg.Client | null> {
  const client = await connectClient(url, "write");
  let holds = false;
  client.on("end", () => holds && onBroken());
  try {
    await requirePrimary(client);
    // The server notices within half a minute that this machine is gone, rather than after the two hours of the operating system.
    await client.query("SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3");
    const lock = sharing === "shared" ? "pg_try_advisory_lock_shared" : "pg_try_advisory_lock";
    const { rows } = await client.query<{ taken: boolean }>(`SELECT ${lock}($1, $2) AS taken`, [lockClass | 0, key]);
    holds = rows[0]?.taken === true;
    return holds ? client : null;
  } finally {
    if (!holds) await close(client);
  }
}
