import { type Finding, found } from "@/lib/certificates/findings";
import type { Chain } from "@/lib/certificates/judge/chain";
import { identify } from "@/lib/certificates/judge/path";
import { isExpectedIssuer, lifetimeDays, publicLifetimeLimit } from "@/lib/certificates/judge/policy";
import type { TrustStore } from "@/lib/certificates/trust-stores/trust-store";

/** The owner's expectations of an endpoint's certificate; empty or null for none. */
export interface Expectations {
  expectedIssuers: readonly string[];
  /** SHA-256 of public keys (SPKI) in base64. */
  pins: readonly string[];
  maxLifetimeDays: number | null;
}

function round(days: number): number {
  return Math.round(days * 100) / 100;
}

function judgeLifetime({ path, end }: Chain, maxLifetimeDays: number | null, trust: TrustStore): Finding | null {
  const [leaf] = path;
  const anchor = path.at(-1);
  if (leaf === undefined || anchor === undefined) return null;
  const ofPublic = end === "trusted" && trust.isPublic(anchor) ? publicLifetimeLimit(leaf.notBefore) : null;
  const limits = [
    { rule: "endpoint", limit: maxLifetimeDays },
    { rule: "ca_browser_forum", limit: ofPublic },
  ].flatMap(({ rule, limit }) => (limit === null ? [] : [{ rule, limit }]));
  const [strictest] = limits.sort((a, b) => a.limit - b.limit);
  const days = lifetimeDays(leaf);
  // Tolerates a second, because some authorities do not count the last second.
  if (strictest === undefined || days - strictest.limit <= 1 / 86_400) return null;
  return found("lifetime_exceeds_policy", "warning", {
    not_before: leaf.notBefore.toISOString(),
    not_after: leaf.notAfter.toISOString(),
    lifetime_days: round(days),
    limit_days: strictest.limit,
    rule: strictest.rule,
  });
}

function judgePins({ path }: Chain, pins: readonly string[]): Finding | null {
  const seen = path.map((certificate) => ({
    ...identify(certificate),
    pin: Buffer.from(certificate.publicKeySha256, "hex").toString("base64"),
  }));
  if (pins.length === 0 || seen.some(({ pin }) => pins.includes(pin))) return null;
  return found("pin_mismatch", "critical", { expected: [...pins], seen });
}

/** Deviations from the owner's expectations and from the rules for public authorities. */
export function judgeExpectations(chain: Chain, expected: Expectations, trust: TrustStore): Finding[] {
  const [leaf] = chain.path;
  const { expectedIssuers, pins, maxLifetimeDays } = expected;
  const isUnexpected =
    leaf !== undefined && expectedIssuers.length > 0 && !isExpectedIssuer(leaf.issuer, expectedIssuers);
  return [
    judgeLifetime(chain, maxLifetimeDays, trust),
    isUnexpected
      ? found("issuer_unexpected", "warning", { issuer: leaf.issuer, expected: [...expectedIssuers] })
      : null,
    judgePins(chain, pins),
  ].filter((finding) => finding !== null);
}
