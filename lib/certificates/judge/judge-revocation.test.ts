import "reflect-metadata";
import { beforeAll, expect, test } from "vitest";
import { makeAuthority } from "@/e2e/support/stand-ins/test-certificates";
import { type Chain, examineChain } from "@/lib/certificates/judge/chain";
import { judgeRevocation, type Revocation } from "@/lib/certificates/judge/judge-revocation";
import { makeTrustStore } from "@/lib/certificates/trust-stores/trust-store";
import { type Certificate, parseCertificate } from "@/lib/certificates/x509/x509";

const url = "http://crl.test/";
let chain: Chain;
let leaf: Certificate;

beforeAll(async () => {
  const { root, intermediate, leaf: issue } = await makeAuthority("Revocation");
  leaf = parseCertificate((await issue()).der);
  chain = examineChain([leaf, parseCertificate(intermediate.der)], makeTrustStore(root.pem), new Date());
});

const statusOf = {
  revoked: { state: "revoked", revokedAt: new Date("2026-11-01T00:00:00Z"), reason: null },
  good: { state: "good" },
  unknown: { state: "unknown", why: "fetch_failed", detail: null },
} as const;

function judged(statuses: { url: string | null; state: keyof typeof statusOf }[], before: object | null) {
  const revocation = statuses.map(({ url, state }): Revocation => ({ certificate: leaf, url, ...statusOf[state] }));
  return judgeRevocation(chain, revocation, before === null ? null : { ...before });
}

test("a revoked certificate stays revoked while its status is unknown", () => {
  const list = { url, state: "revoked" } as const;
  const first = judged([list], null);
  const evidence = first[0]?.evidence ?? {};
  expect(first).toMatchObject([{ code: "revoked", severity: "critical", evidence: { sha256: leaf.sha256 } }]);
  expect(judged([{ url, state: "unknown" }], evidence)).toEqual(first);
  expect(judged([], evidence)).toEqual(first);
  // What the merged finding of several addresses says besides is found anew.
  expect(judged([], { ...evidence, seen_at: ["192.0.2.1"], other_certificate: {} })).toEqual(first);
});

test("it is no longer revoked when a list says so, or when it is no longer in the path", () => {
  const evidence = judged([{ url, state: "revoked" }], null)[0]?.evidence ?? {};
  expect(judged([{ url, state: "good" }], evidence)).toEqual([]);
  expect(judged([{ url, state: "unknown" }], { ...evidence, sha256: "another" })).toMatchObject([
    { code: "revocation_unknown" },
  ]);
});

test("a stapled response clears only what a stapled response revoked", () => {
  const good = { url: null, state: "good" } as const;
  const listed = judged([{ url, state: "revoked" }], null);
  const stapled = judged([{ url: null, state: "revoked" }], null);
  expect(judged([{ url, state: "unknown" }, good], listed[0]?.evidence ?? {})).toEqual(listed);
  expect(judged([good], stapled[0]?.evidence ?? {})).toEqual([]);
});
