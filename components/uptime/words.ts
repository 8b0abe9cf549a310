import type { Tone } from "@/components/ui/badge";
import type { FailureReason, MonitorStatus } from "@/lib/uptime/contract";

export const statusWords: Record<MonitorStatus, string> = {
  down: "Down",
  pending: "Not checked yet",
  up: "Up",
  paused: "Paused",
};

export const statusTone: Record<MonitorStatus, Tone> = {
  down: "bad",
  pending: "neutral",
  up: "good",
  paused: "neutral",
};

const reasons: Record<FailureReason, string> = {
  dns_failure: "the name could not be resolved",
  forbidden_address: "the name leads to a network that is not probed",
  connection_refused: "the connection was refused",
  connection_reset: "the connection was reset",
  no_route: "there is no way there",
  timeout: "no answer in time",
  tls_failed: "the certificate or the TLS handshake was refused",
  protocol_error: "what came back is no HTTP",
  unexpected_status: "an unexpected status",
  text_missing: "the expected text is missing",
  too_many_redirects: "too many redirects",
};

/** Why a check failed, as part of a sentence. */
export function reasonWords({ reason, detail }: { reason: FailureReason; detail: string | null }): string {
  return detail === null ? reasons[reason] : `${reasons[reason]} (${detail})`;
}

/** `99.95 %`, `100 %`; a dash of nothing. */
export function percentWords(percent: number | null): string {
  return percent === null ? "—" : `${percent} %`;
}

/** `12 ms`, `1.4 s`. */
export function msWords(ms: number | null): string {
  if (ms === null) return "—";
  if (ms >= 1000) return `${(ms / 1000).toFixed(1)} s`;
  return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
}
