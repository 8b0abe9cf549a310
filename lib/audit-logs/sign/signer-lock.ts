import { setTimeout as delay } from "node:timers/promises";
import { requireSetting } from "@/lib/config";
import { type HeldLock, holdLock, lockClasses } from "@/lib/db/hold-lock";

const RETRY_MS = 200;

const takeLock = () => holdLock(requireSetting("DATABASE_URL"), lockClasses.signer, 0, () => {});

/** Runs work as the only signer of the installation. Returns null, without running it, if there is another one. */
export async function asSigner<Result>(work: () => Promise<Result>): Promise<Result | null> {
  const lock = await takeLock();
  return lock === null ? null : withLock(lock, work);
}

/** The same, after the other one has finished its round. */
export async function asNextSigner<Result>(work: () => Promise<Result>): Promise<Result> {
  for (;;) {
    const lock = await takeLock();
    if (lock !== null) return withLock(lock, work);
    await delay(RETRY_MS);
  }
}

async function withLock<Result>(lock: HeldLock, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } finally {
    await lock.release();
  }
}
