/**
 * Options of a connection: it tries one address of a host for a quarter of the deadline before the next, but at least for 1.5 s, because a
 * lost packet is sent again after one, as far as half of the deadline permits. Node's 250 ms would fail slow networks. The last address
 * has all of the time that is left. In milliseconds.
 */
export function attemptTimeout(deadlineMs: number): { autoSelectFamilyAttemptTimeout: number } {
  return {
    autoSelectFamilyAttemptTimeout: Math.max(1, Math.ceil(Math.max(deadlineMs / 4, Math.min(1_500, deadlineMs / 2)))),
  };
}
