import type { CertificateEndpoint } from "@/lib/certificates/contract";

type Chosen = Pick<CertificateEndpoint, "host" | "sni" | "port" | "tags" | "status"> & {
  findings: readonly { code: string }[];
};

/** Whether an endpoint is what the board's address asks for: `status`, `finding`, `tag`, and text in its name. */
export function isChosen(endpoint: Chosen, params: Record<string, string>): boolean {
  const { status, finding, tag, q } = params;
  const { host, sni, port } = endpoint;
  return (
    (status === undefined || endpoint.status === status) &&
    (finding === undefined || endpoint.findings.some(({ code }) => code === finding)) &&
    (tag === undefined || endpoint.tags.includes(tag)) &&
    (q === undefined || `${host}:${port} ${sni ?? ""}`.includes(q.trim().toLowerCase()))
  );
}

/** All tags of some endpoints, by name. */
export function tagsOf(endpoints: readonly Pick<CertificateEndpoint, "tags">[]): string[] {
  return [...new Set(endpoints.flatMap(({ tags }) => tags))].sort();
}

/** The address of the board with these parameters; empty ones are left out. */
export function boardHref(params: Record<string, string>): string {
  const kept = Object.entries(params).filter(([, value]) => value !== "");
  return kept.length === 0 ? "/certificates" : `/certificates?${new URLSearchParams(kept)}`;
}
