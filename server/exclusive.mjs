// Plain JavaScript: it runs before the packages that execute TypeScript are installed.
import { createHash } from "node:crypto";
import { readFileSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

/** No exclusive step takes longer than this; an older lock was left by a killed process. */
const STALE_MS = 15 * 60_000;

function isAlive(pid) {
  if (!(pid > 0) || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

/** @returns whether this process holds the lock now */
function take(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
  try {
    const age = Date.now() - statSync(file).mtimeMs;
    const holder = Number(readFileSync(file, "utf8"));
    // The file is empty for an instant between creation and writing, so a new file is left alone.
    if (age > STALE_MS || (age > 1000 && !isAlive(holder))) unlinkSync(file);
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
  return false;
}

/** Runs `work` while no other process of this checkout runs work of the same name. Waits until then. */
export async function exclusively(name, work) {
  const checkout = createHash("sha256").update(process.cwd()).digest("hex").slice(0, 12);
  const file = join(tmpdir(), `sealwatch-${process.getuid?.() ?? 0}-${checkout}-${name}.lock`);
  for (let attempt = 0; !take(file); attempt++) {
    if (attempt === 10) process.stderr.write(`Waiting for another Sealwatch process of this checkout (${name})…\n`);
    await delay(100);
  }
  const leave = () => {
    try {
      unlinkSync(file);
    } catch {}
  };
  process.once("exit", leave);
  try {
    return await work();
  } finally {
    process.off("exit", leave);
    leave();
  }
}
