import type { Tone } from "@/components/ui/badge";
import type { SubdomainState } from "@/lib/subdomains/contract";
import type { SourceName, SourceState } from "@/lib/subdomains/domain-contract";

/** The name of each source. */
export const sourceWords: Record<SourceName, string> = {
  ct_search: "Certificate transparency",
  ct_public_search: "Public certificate search",
  dns: "DNS",
};

export const shortSourceWords: Record<SourceName, string> = {
  ct_search: "CT",
  ct_public_search: "public CT",
  dns: "DNS",
};

export const sourceStateWords: Record<SourceState, string> = {
  never: "not run yet",
  running: "running",
  ok: "working",
  failing: "failing",
};

export const sourceTone: Record<SourceState, Tone> = { never: "neutral", running: "seal", ok: "good", failing: "bad" };

export const stateWords: Record<SubdomainState, string> = { new: "New", monitored: "Monitored", ignored: "Ignored" };

/** The organization of an issuer's name, else its common name. */
export function issuerWords(issuer: string): string {
  const value = (type: string) => new RegExp(`(?:^|,)${type}=((?:\\\\.|[^,\\\\])*)`).exec(issuer)?.[1];
  return (value("O") ?? value("CN") ?? issuer).replace(/\\(.)/g, "$1");
}
