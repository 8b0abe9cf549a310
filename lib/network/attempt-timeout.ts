/**
 * How long a connection tries one address of a host before the next, in milliseconds: a quarter of the deadline, but at least 1.5 seconds,
 * because a lost packet is sent again after one, as far as half of the deadline permits. Node's 250 ms would fail slow networks. Pass it as
 * `autoSelectFamilyAttemptTimeout`; the last address has all of the time that is left.
 */
export function attemptTimeout(deadlineMs: number): number {
  return Math.max(deadlineMs / 4, Math.min(1_500, deadlineMs / 2));
}
