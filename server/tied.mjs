import { spawn } from "node:child_process";

const PRELOAD = ["--import", "./server/tie.mjs"];
const STDIO = ["ignore", 2, 2, "ipc"];

function tie(patienceMs) {
  return { SEALWATCH_TIE: `${process.pid}:${patienceMs}` };
}

/**
 * Starts a Node process of this checkout that ends at most `patienceMs` after this one, however this one ends (a channel
 * to us tells it). Its output goes to standard error: standard output carries only what was asked for.
 */
export function spawnTied(args, { env, patienceMs, detached }) {
  return spawn(process.execPath, [...PRELOAD, ...args], {
    stdio: STDIO,
    env: { ...process.env, ...env, ...tie(patienceMs) },
    // A process group of its own keeps Ctrl-C in the terminal away. On Windows it would open a window instead.
    detached: detached && process.platform !== "win32",
  });
}
