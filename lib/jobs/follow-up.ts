/** Least milliseconds between two calls while the work goes on. */
const INTERVAL_MS = 60_000;

/**
 * Work that follows results of leased work, which may not end for days: `act` is called at most once a minute while results arrive, and
 * at the end, if it was requested since the last call. `now` is in milliseconds.
 */
export function followUp(act: () => Promise<void>, now = () => performance.now()) {
  let isRequested = false;
  let actedAt = now();
  const run = async () => {
    if (!isRequested) return;
    isRequested = false;
    actedAt = now();
    await act();
  };
  return {
    request: () => {
      isRequested = true;
    },
    /** Before results are written, so that its failure does not have them written twice. */
    runIfDue: async () => {
      if (now() >= actedAt + INTERVAL_MS) await run();
    },
    /** When the work has ended, also by an error. */
    runAtEnd: run,
  };
}
