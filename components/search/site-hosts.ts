import type { SearchResult } from "@/lib/search/contract";

/** Offered at once; the text narrows them. */
const MAX_HOSTS = 3;

/** The hosts of endpoints, monitors and discovered names that a search found: those whose page can be opened, each once. */
export function siteHosts(results: readonly Pick<SearchResult, "type" | "name" | "detail">[]): string[] {
  const hosts = results.flatMap(({ type, name, detail }) => {
    if (type === "certificate_endpoint") return name.replace(/:\d{1,5}$/, "");
    if (type === "monitor") return hostIn(detail ?? "") ?? [];
    return type === "subdomain" && !name.startsWith("*.") ? name : [];
  });
  return [...new Set(hosts)].slice(0, MAX_HOSTS);
}

/** The host of a URL, or of `host:port`; null if there is none. */
function hostIn(target: string): string | null {
  try {
    const { hostname } = new URL(/^https?:\/\//i.test(target) ? target : `http://${target}`);
    return hostname.replace(/^\[(.*)\]$/, "$1");
  } catch {
    return null;
  }
}
