import { setMaxListeners } from "node:events";
import { connect, type Socket } from "node:net";

/** The abort reason of a deadline; each phase turns it into its own failure. */
export const TIMEOUT = Object.assign(new Error("timeout"), { code: "ETIMEDOUT" });

/** Settles like `work`, or rejects when `signal` aborts first; `work` then continues unobserved. */
export async function orAbort<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  let stop = () => {};
  const stopped = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([work, stopped]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** Runs `work` with a signal that aborts after `ms` or when the caller cancels. */
export async function withDeadline<T>(
  ms: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const stopping = new AbortController();
  // Every connection and file adds listeners; Node would report more than ten as a leak.
  setMaxListeners(0, stopping.signal);
  const stop = () => stopping.abort(signal?.reason);
  const timer = setTimeout(() => stopping.abort(TIMEOUT), ms);
  signal?.addEventListener("abort", stop, { once: true });
  if (signal?.aborted) stop();
  try {
    return await work(stopping.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  }
}

/** Connects to an address that was checked before. Takes no name, so that nothing is resolved again. */
export function dial(address: string, port: number, timeoutMs: number, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address, port, noDelay: true });
    const settle = (error: unknown) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      socket.removeAllListeners();
      if (error === null) return resolve(socket);
      // A destroyed socket may still emit errors; an unhandled one would end the process.
      socket.on("error", () => {}).destroy();
      reject(error);
    };
    const stop = () => settle(signal.reason);
    const timer = setTimeout(() => settle(TIMEOUT), timeoutMs);
    socket.once("connect", () => settle(null)).once("error", settle);
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
  });
}
