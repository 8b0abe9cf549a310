import { setMaxListeners } from "node:events";
import { processSingleton } from "@/lib/process-singleton";

/** One for the whole process: route handlers and the server share it. */
const shutdown = () =>
  processSingleton("shutdown", () => {
    const requested = new AbortController();
    // Each stream listens; Node would take more than ten for a leak.
    setMaxListeners(0, requested.signal);
    return { requested, unfinished: new Set<Promise<void>>() };
  });

/** Aborts when the process is asked to stop: what has no end of its own, such as a stream of events, ends now. */
export function shutdownRequested(): AbortSignal {
  return shutdown().requested.signal;
}

export function requestShutdown(): void {
  shutdown().requested.abort();
}

/** Has the process wait for work that no request waits for, such as the event about how an answer ended. */
export function beforeExit(work: Promise<unknown>): void {
  const { unfinished } = shutdown();
  const forget = () => void unfinished.delete(done);
  const done: Promise<void> = work.then(forget, forget);
  unfinished.add(done);
}

/** Resolves when everything handed to `beforeExit` has ended. */
export async function unfinishedWork(): Promise<void> {
  const { unfinished } = shutdown();
  while (unfinished.size > 0) await Promise.all(unfinished);
}
