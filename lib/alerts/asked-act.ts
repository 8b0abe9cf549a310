import { acknowledge, resolveByHand, snooze } from "@/lib/alerts/acts";
import type { AlertState, Entry } from "@/lib/alerts/alert-state";
import type * as contract from "@/lib/alerts/contract";
import { invalid } from "@/lib/http/errors";

const LONGEST_SNOOZE_MS = 90 * 86_400_000;

/** What a person does to an open alert. */
export interface Act {
  entry: Entry;
  /** The status of an open alert after it. */
  status: contract.AlertStatus;
  on: (state: AlertState, by: string, now: number) => AlertState;
}

/** The act that a request asks for; `until` in Unix milliseconds is of `snooze`. Throws 400 for an invalid end of a snooze. */
export function askedAct({
  action,
  until = 0,
  note,
}: {
  action: contract.AlertAct;
  until?: number | undefined;
  note?: string | null | undefined;
}): Act {
  switch (action) {
    case "acknowledge":
      return { entry: { kind: "acknowledged", details: { note } }, status: "acknowledged", on: acknowledge };
    case "snooze": {
      const details = { until: snoozeEnd(until), note };
      return { entry: { kind: "snoozed", details }, status: "snoozed", on: (state) => snooze(state, until) };
    }
    case "resolve": {
      const on: Act["on"] = (state, _by, now) => resolveByHand(state, now);
      return { entry: { kind: "resolved", details: { by: "person", note } }, status: "resolved", on };
    }
  }
}

/** The end of a snooze as RFC 3339. Throws 400. */
function snoozeEnd(until: number): string {
  if (until <= Date.now()) throw invalid("until", "must be in the future");
  if (until > Date.now() + LONGEST_SNOOZE_MS) throw invalid("until", "must be at most 90 days in the future");
  return new Date(until).toISOString();
}
