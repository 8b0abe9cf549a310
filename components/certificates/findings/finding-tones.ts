import type { Tone } from "@/components/ui/badge";
import type { EndpointStatus } from "@/lib/certificates/endpoint-statuses";
import type { Severity } from "@/lib/certificates/findings";

export const severityTone: Record<Severity, Tone> = { info: "neutral", warning: "warn", critical: "bad" };

export const statusTone: Record<EndpointStatus, Tone> = {
  pending: "neutral",
  ok: "good",
  info: "neutral",
  warning: "warn",
  critical: "bad",
  unreachable: "bad",
};
