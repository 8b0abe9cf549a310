import { spawn } from "node:child_process";
import cluster from "node:cluster";

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

/**
 * The same for one of several processes that share the ports they listen on: connections are handed to them in turn. `flags`
 * are Node's own. Ctrl-C in the terminal reaches it too.
 */
export function forkTied(flags, [exec, ...args], { env, patienceMs }) {
  cluster.setupPrimary({ execArgv: [...PRELOAD, ...flags], exec, args, stdio: STDIO });
  const child = cluster.fork({ ...env, ...tie(patienceMs) }).process;
  // Node forgets a connection that it was just handing to a process that died: its client would wait for ever.
  const send = child.send.bind(child);
  let handedLast;
  child.send = (message, handle, ...rest) => {
    handedLast = handle ?? handedLast;
    return send(message, handle, ...rest);
  };
  child.once("exit", () => handedLast?.close());
  return child;
}
