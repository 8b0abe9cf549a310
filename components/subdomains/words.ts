import type { Tone } from "@/components/ui/badge";
import type { SourceState } from "@/lib/subdomains/domain-contract";

export const sourceTone: Record<SourceState, Tone> = { never: "neutral", running: "seal", ok: "good", failing: "bad" };

/** The organization of an issuer's name, else its common name. */
export function issuerWords(issuer: string): string {
  const value = (type: string) => new RegExp(`(?:^|,)${type}=((?:\\\\.|[^,\\\\])*)`).exec(issuer)?.[1];
  return (value("O") ?? value("CN") ?? issuer).replace(/\\(.)/g, "$1");
}
