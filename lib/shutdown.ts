import { setMaxListeners } from "node:events";
import { processSingleton } from "@/lib/process-singleton";

/** Shared by the whole process: route handlers and the server use the same signal. */
const shutdown = () =>
  processSingleton("shutdown", () => {
    const requested = new AbortController();
    // Each stream adds a listener; Node would report more than ten as a leak.
    setMaxListeners(0, requested.signal);
    return { requested, unfinished: new Set<Promise<void>>() };
  });

/** Aborts when the process is requested to stop, so that open-ended work such as a stream of events ends. */
export function shutdownRequested(): AbortSignal {
  return shutdown().requested.signal;
}

export function requestShutdown(): void {
  shutdown().requested.abort();
}

/** Delays the process's exit until `work` ends, for work that outlives its request, such as the event about how a response ended. */
export function beforeExit(work: Promise<unknown>): void {
  const { unfinished } = shutdown();
  const forget = () => void unfinished.delete(done);
  const done: Promise<void> = work.then(forget, forget);
  unfinished.add(done);
}

/** Resolves when all work passed to `beforeExit` has ended. */
export async function unfinishedWork(): Promise<void> {
  const { unfinished } = shutdown();
  while (unfinished.size > 0) await Promise.all(unfinished);
}
