/** npm forwards the signal that the terminal also sent us: a second signal within this time, in milliseconds, is the same request. */
const SECOND_SIGNAL_MS = 1_000;

/** Of a command that a signal has ended: 128 and the number of SIGINT. */
export const INTERRUPTED_EXIT_CODE = 130;

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Calls `stop` once, on the first signal or `request`, such as Ctrl-C or a closed terminal, and `insist` on later signals. The process
 * survives a closed output pipe.
 */
export function onStopRequest(stop: () => void, insist: () => void): { request: () => void; off: () => void } {
  let stoppedAt: number | undefined;
  const request = (signal?: NodeJS.Signals) => {
    if (stoppedAt === undefined) {
      stoppedAt = performance.now();
      stop();
    } else if (signal !== undefined && performance.now() - stoppedAt > SECOND_SIGNAL_MS) {
      insist();
    }
  };
  for (const signal of SIGNALS) process.on(signal, request);
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
  return {
    request: () => request(),
    off: () => {
      for (const signal of SIGNALS) process.off(signal, request);
    },
  };
}
