import { actOnAlert } from "@/lib/alerts/act-on-alert";
import { snooze } from "@/lib/alerts/acts";
import type * as contract from "@/lib/alerts/contract";
import type { Input, Output } from "@/lib/http/endpoint";
import { invalid } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";

const LONGEST_MS = 90 * 86_400_000;

/** Snoozes an alert: sends nothing until the given time. Throws 400, 403, 404, 409 if it is resolved. */
export async function snoozeAlert(
  principal: Principal,
  { id, until, note }: Input<typeof contract.snoozeAlert>,
): Promise<Output<typeof contract.snoozeAlert>> {
  requireAdmin(principal);
  const details = { until: snoozeEnd(until), note };
  return actOnAlert(principal, id, { kind: "snoozed", details, on: (state) => snooze(state, until) });
}

/** The end of a snooze in Unix milliseconds, as RFC 3339. Throws 400. */
export function snoozeEnd(until: number): string {
  if (until <= Date.now()) throw invalid("until", "must be in the future");
  if (until > Date.now() + LONGEST_MS) throw invalid("until", "must be at most 90 days in the future");
  return new Date(until).toISOString();
}
