import { spawn } from "node:child_process";

const PRELOAD = ["--import", "./server/tie.mjs"];
const STDIO = ["ignore", 2, 2, "ipc"];

function tie(graceMs) {
  return { SEALWATCH_TIE: `${process.pid}:${graceMs}` };
}

/**
 * Starts a Node.js process of this checkout that exits at most `graceMs` after this one, however this one ends: it
 * watches an IPC channel. Its output goes to standard error, because standard output is reserved for results.
 */
export function spawnTied(args, { env, graceMs, detached }) {
  return spawn(process.execPath, [...PRELOAD, ...args], {
    stdio: STDIO,
    env: { ...process.env, ...env, ...tie(graceMs) },
    // In its own process group, Ctrl-C in the terminal does not reach it. On Windows this would open a window.
    detached: detached && process.platform !== "win32",
  });
}
