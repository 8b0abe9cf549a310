import type { Tone } from "@/components/ui/badge";
import type { FailureReason, MonitorStatus } from "@/lib/uptime/contract";
import { failureReasonLabels } from "@/lib/uptime/labels";

export const statusTone: Record<MonitorStatus, Tone> = {
  down: "bad",
  pending: "neutral",
  up: "good",
  paused: "neutral",
};

/** Why a check failed, with what was seen. */
export function reasonWords({ reason, detail }: { reason: FailureReason; detail: string | null }): string {
  const label = failureReasonLabels[reason];
  return detail === null ? label : `${label} (${detail})`;
}

/** `99.95%`, `100%`; a dash for null. */
export function percentWords(percent: number | null): string {
  return percent === null ? "—" : `${percent}%`;
}

/** `12 ms`, `1.4 s`. */
export function msWords(ms: number | null): string {
  if (ms === null) return "—";
  if (ms >= 1000) return `${(ms / 1000).toFixed(1)} s`;
  return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
}
