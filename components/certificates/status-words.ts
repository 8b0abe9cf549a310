import type { EndpointStatus } from "@/lib/certificates/contract";

export const statusWords: Record<EndpointStatus, string> = {
  critical: "critical",
  unreachable: "unreachable",
  warning: "warning",
  pending: "not checked yet",
  info: "worth knowing",
  ok: "fine",
};
