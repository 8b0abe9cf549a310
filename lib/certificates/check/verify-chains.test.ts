import "reflect-metadata";
import { X509Certificate } from "node:crypto";
import { expect, test, vi } from "vitest";
import { makeAuthority } from "@/e2e/support/stand-ins/test-certificates";
import { toObservation } from "@/lib/certificates/check/reported";
import { verifyChains } from "@/lib/certificates/check/verify-chains";
import { examineChain } from "@/lib/certificates/judge/chain";
import { makeTrustStore } from "@/lib/certificates/trust-stores/trust-store";
import { parseCertificate } from "@/lib/certificates/x509/x509";
import { newId } from "@/lib/ids";

test("signatures are verified once, and a chain is examined without verifying any afterwards", async () => {
  const authority = await makeAuthority("Turns");
  const trust = makeTrustStore(authority.root.pem);
  const leaf = parseCertificate((await authority.leaf({})).der);
  const now = new Date();
  const observations = toObservation([leaf, parseCertificate(authority.intermediate.der)], now);
  const verify = vi.spyOn(X509Certificate.prototype, "verify");
  try {
    await verifyChains(newId(), observations, trust);
    const verified = verify.mock.calls.length;
    expect(verified).toBeGreaterThan(0);
    const [served] = observations;
    const end = served.outcome === "served" ? examineChain(served.chain, trust, now).end : null;
    expect([end, verify.mock.calls.length]).toEqual(["trusted", verified]);
  } finally {
    verify.mockRestore();
  }
});
