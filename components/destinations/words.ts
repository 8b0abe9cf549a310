import { formatSpan } from "@/components/time/time-format";
import type { Tone } from "@/components/ui/badge";
import type { Destination } from "@/lib/destinations/contract";
import type { DestinationState } from "@/lib/destinations/states";
import { formatCount } from "@/lib/text/counts";

/** The path of the list of destinations. */
export const DESTINATIONS = "/destinations";

export const stateTone: Record<DestinationState, Tone> = {
  unused: "neutral",
  working: "good",
  failing: "bad",
  paused: "warn",
};

/** `#1,234`, the last entry that was sent or left out; in a later epoch `#1,234 of epoch 2`. Null before the first. */
export function sentUpTo({ epoch, index }: Destination["next"]): string | null {
  if (index === 0) return null;
  const number = `#${formatCount(index - 1)}`;
  return epoch === 1 ? number : `${number} of epoch ${epoch}`;
}

/** How long the first unsent entry has been waiting: `3 min`; null if none is. */
export function timeBehind(lag: Destination["lag"]): string | null {
  return lag === null || lag.entries === 0 ? null : formatSpan(lag.seconds * 1000);
}

/** Why it does not send now, in a line; null if it does. */
export function whyNot({ state, last_error, paused_reason }: Destination): string | null {
  if (state === "failing") return last_error?.message ?? null;
  return state === "paused" ? (paused_reason ?? "by a person") : null;
}
