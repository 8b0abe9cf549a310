import { config } from "@/lib/config";

/** After the supervisor was killed, a child has this long to finish its work, in milliseconds. */
export const ORPHAN_GRACE_MS = 8_000;

/** The supervisor's message to a child that shall not wait any longer. */
export const STOP_WAITING = { type: "stop_waiting" };

/**
 * Calls `stop` in a child of the supervisor whenever it has to stop within `graceMs`: at the first signal, when the supervisor insists,
 * and when the supervisor dies. Further signals are the same request: a service manager may send SIGTERM to every process of a unit,
 * and the supervisor sends its own a moment later.
 */
export function onStop(stop: (graceMs: number) => void): void {
  const graceMs = config().SHUTDOWN_GRACE_SECONDS * 1_000;
  let wasAsked = false;
  const ask = () => {
    if (wasAsked) return;
    wasAsked = true;
    stop(graceMs);
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, ask);
  process.on("message", (message: Partial<typeof STOP_WAITING> | null) => {
    if (message?.type === STOP_WAITING.type) stop(0);
  });
  // The next start after a kill waits no longer than this.
  process.on("disconnect", () => stop(Math.min(graceMs, ORPHAN_GRACE_MS)));
}
