import { formatMs } from "@/components/time/time-format";
import type { Tone } from "@/components/ui/badge";
import type { AuthenticationType } from "@/lib/uptime/authentication";
import type { MonitorStatus } from "@/lib/uptime/contract";
import type { FailureReason } from "@/lib/uptime/failure-reasons";
import { failureReasonLabels } from "@/lib/uptime/labels";
import type { IpVersion } from "@/lib/uptime/methods";
import type { AnswerMatch } from "@/lib/uptime/record-types";
import { uptimeWords } from "@/lib/uptime/window";

export const statusTone: Record<MonitorStatus, Tone> = {
  down: "bad",
  pending: "neutral",
  up: "good",
  paused: "neutral",
};

export const authenticationWords: Record<AuthenticationType, string> = {
  none: "None",
  basic: "Basic: username and password",
  bearer: "Bearer token",
  client_certificate: "Client certificate",
};

export const answerMatchWords: Record<AnswerMatch, string> = {
  any: "Any of these",
  all: "All of these",
  exactly: "Exactly these",
};

export const ipVersionWords: Record<IpVersion, string> = {
  any: "IPv4 or IPv6",
  "4": "IPv4 only",
  "6": "IPv6 only",
};

/** Why a check failed, with what was seen. */
export function reasonWords({ reason, detail }: { reason: FailureReason; detail: string | null }): string {
  const label = failureReasonLabels[reason];
  return detail === null ? label : `${label} (${detail})`;
}

/** The uptime in words; a dash for null. */
export function percentWords(percent: number | null): string {
  return percent === null ? "—" : uptimeWords(percent);
}

/** A duration in words; a dash for null. */
export function msWords(ms: number | null): string {
  return ms === null ? "—" : formatMs(ms);
}
