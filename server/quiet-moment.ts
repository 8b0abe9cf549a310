const QUIET_MS = 0.5;
const MOST_TURNS = 1_000;

/**
 * Resolves right after a turn of the event loop that was short, so that hardly anything has arrived since the last look. Connections
 * that the system has taken for us and that we have not seen are reset when we stop listening, and a proxy does not send a POST again.
 */
export function quietMoment(): Promise<void> {
  return new Promise((resolve) => {
    let turns = 0;
    let began = performance.now();
    const look = () => {
      const now = performance.now();
      if (now - began < QUIET_MS || ++turns === MOST_TURNS) return resolve();
      began = now;
      setImmediate(look);
    };
    setImmediate(look);
  });
}
