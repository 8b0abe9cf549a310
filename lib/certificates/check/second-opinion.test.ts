import "reflect-metadata";
import { KeyUsageFlags } from "@peculiar/x509";
import { beforeAll, expect, test } from "vitest";
import { plainExpectation } from "@/e2e/support/judged";
import {
  type Authority,
  makeAuthority,
  makeCertificate,
  type TestCertificate,
} from "@/e2e/support/stand-ins/test-certificates";
import { toObservation } from "@/lib/certificates/check/reported";
import { findRefusals, secondOpinion } from "@/lib/certificates/check/second-opinion";
import { examineChain } from "@/lib/certificates/judge/chain";
import { judge } from "@/lib/certificates/judge/judge";
import { makeTrustStore } from "@/lib/certificates/trust-stores/trust-store";
import { parseCertificate } from "@/lib/certificates/x509/x509";

// On every supported Node.js: the handle whose verdict is read is not documented.

let authority: Authority;
beforeAll(async () => {
  authority = await makeAuthority("Opinion");
});

function opinion(
  [leaf, ...issuers]: [TestCertificate, ...TestCertificate[]],
  anchor: TestCertificate = authority.root,
): Promise<string | null> {
  const chain = issuers.map(({ der }) => parseCertificate(der));
  return secondOpinion(examineChain([parseCertificate(leaf.der), ...chain], makeTrustStore(anchor.pem), new Date()));
}

const onLeaf = async (
  overrides: Parameters<Authority["leaf"]>[0],
): Promise<[TestCertificate, ...TestCertificate[]]> => [await authority.leaf(overrides), authority.intermediate];

test("finds nothing on paths without faults, of each kind of key", async () => {
  expect(await opinion(await onLeaf({}))).toBeNull();
  expect(await opinion(await onLeaf({ key: "RSA-2048" }))).toBeNull();
  expect(await opinion(await onLeaf({ purposes: ["1.3.6.1.5.5.7.3.1"] }))).toBeNull();
  const own = await makeCertificate({ name: "good.test", sans: ["good.test"] });
  expect(await opinion([own], own)).toBeNull();
  expect(await opinion([await authority.leaf({})], authority.intermediate)).toBeNull();
});

test("ignores time, trust and strength, which are judged here", async () => {
  expect(await opinion(await onLeaf({ fromDays: -9, untilDays: -1 }))).toBeNull();
  expect(await opinion(await onLeaf({ fromDays: 1 }))).toBeNull();
  expect(await opinion(await onLeaf({ key: "RSA-1024" }))).toBeNull();
  expect(await opinion(await onLeaf({}), await makeCertificate({ name: "Other", ca: true }))).toBeNull();
});

test("gives OpenSSL's reason for refusing a path", async () => {
  expect(await opinion(await onLeaf({ purposes: ["1.3.6.1.5.5.7.3.2"] }))).toBe("unsuitable certificate purpose");
  expect(await opinion(await onLeaf({ key: "RSA-2048", keyUsages: KeyUsageFlags.dataEncipherment }))).toBe(
    "unsuitable certificate purpose",
  );
  const extensions = [{ oid: "1.2.3.4", critical: true, hex: "0500" }];
  expect(await opinion(await onLeaf({ extensions }))).toBe("unhandled critical extension");
});

test("is cached, and given for many chains at once", async () => {
  const chains = await Promise.all(Array.from({ length: 20 }, () => onLeaf({ purposes: ["1.2.3.4"] })));
  const opinions = [...chains, ...chains].map((chain) => opinion(chain));
  expect(new Set(await Promise.all(opinions))).toEqual(new Set(["unsuitable certificate purpose"]));
});

test("is about the chain of an address, not about a leaf that others serve too", async () => {
  const ca = { name: "Cross", ca: true, untilDays: 1825, issuer: authority.root };
  const plain = await makeCertificate(ca);
  // Only names with the organization "Other" are permitted.
  const hex = "3018a0163014a4123010310e300c060355040a0c054f74686572";
  const narrow = await makeCertificate({
    ...ca,
    keysOf: plain,
    extensions: [{ oid: "2.5.29.30", critical: true, hex }],
  });
  const leaf = parseCertificate((await authority.leaf({ issuer: plain })).der);
  const trust = makeTrustStore(authority.root.pem);
  const serve = (address: string, { der }: TestCertificate) => {
    const [observation] = toObservation([leaf, parseCertificate(der)], new Date());
    return { ...observation, address };
  };
  for (const observations of [
    [serve("192.0.2.1", plain), serve("192.0.2.2", narrow)],
    [serve("192.0.2.2", narrow), serve("192.0.2.1", plain)],
  ] as const) {
    const refusals = await findRefusals(observations, trust);
    expect(judge(observations, { ...plainExpectation(trust), refusals })).toMatchObject([
      { code: "path_refused", evidence: { reason: "permitted subtree violation", seen_at: ["192.0.2.2"] } },
    ]);
  }
});
