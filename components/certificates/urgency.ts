import type { CertificateEndpoint, EndpointStatus } from "@/lib/certificates/contract";

/** What wants attention first. */
export const byUrgency: readonly EndpointStatus[] = ["critical", "unreachable", "warning", "pending", "info", "ok"];

export const statusWords: Record<EndpointStatus, string> = {
  critical: "critical",
  unreachable: "unreachable",
  warning: "warning",
  pending: "not checked yet",
  info: "worth knowing",
  ok: "fine",
};

type Sorted = Pick<CertificateEndpoint, "status" | "host" | "port"> & {
  certificate: Pick<NonNullable<CertificateEndpoint["certificate"]>, "not_after"> | null;
};

/** Orders endpoints: the gravest first, then those whose certificate ends soonest, then by name. */
export function compareUrgency(a: Sorted, b: Sorted): number {
  const end = ({ certificate }: Sorted) => (certificate ? Date.parse(certificate.not_after) : Number.MAX_SAFE_INTEGER);
  return (
    byUrgency.indexOf(a.status) - byUrgency.indexOf(b.status) ||
    end(a) - end(b) ||
    (a.host < b.host ? -1 : a.host > b.host ? 1 : a.port - b.port)
  );
}
