/**
 * Maximum number of events in any window of the given length, both ends included. `times` are the events' times, newest first; all in
 * milliseconds.
 */
export function busiestWindow(times: readonly number[], windowMs: number): number {
  let most = 0;
  let oldest = 0;
  for (const [newest, time] of times.entries()) {
    while (oldest < times.length && time - (times[oldest] ?? 0) <= windowMs) oldest++;
    most = Math.max(most, oldest - newest);
  }
  return most;
}
