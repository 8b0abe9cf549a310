import type { Tone } from "@/components/ui/badge";
import type { AlertStatus } from "@/lib/alerts/contract";

/** The unresolved states, the most urgent first. */
export const byUrgency = ["open", "acknowledged", "snoozed"] as const satisfies AlertStatus[];

export const statusTone: Record<AlertStatus, Tone> = {
  open: "bad",
  acknowledged: "seal",
  snoozed: "neutral",
  resolved: "good",
};
