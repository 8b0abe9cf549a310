import "reflect-metadata";
import { KeyUsageFlags } from "@peculiar/x509";
import { beforeAll, describe, expect, test } from "vitest";
import { judged } from "@/e2e/support/judged";
import {
  type Authority,
  type CertificateOptions,
  makeAuthority,
  makeCertificate,
} from "@/e2e/support/stand-ins/test-certificates";
import type { Finding } from "@/lib/certificates/findings";

let authority: Authority;
beforeAll(async () => {
  authority = await makeAuthority("Rules");
});

async function withLeaf(overrides: Partial<CertificateOptions>): Promise<Finding[]> {
  return judged([await authority.leaf(overrides), authority.intermediate], authority.root);
}

async function withIntermediate(overrides: Partial<CertificateOptions>): Promise<Finding[]> {
  const intermediate = await makeCertificate({
    name: "Odd",
    ca: true,
    issuer: authority.root,
    untilDays: 1825,
    ...overrides,
  });
  return judged([await authority.leaf({ issuer: intermediate }), intermediate], authority.root);
}

describe("issuers", () => {
  test("an anchor that is not a CA", async () => {
    const root = await makeCertificate({ name: "Plain Root", keyUsages: null, untilDays: 900 });
    expect(judged([await authority.leaf({ issuer: root })], root)).toMatchObject([
      { code: "issuer_not_ca", severity: "critical", evidence: { subject: "CN=Plain Root" } },
    ]);
  });

  test("an intermediate that is not a CA, or does not say that it is one", async () => {
    const { keyCertSign } = KeyUsageFlags;
    for (const overrides of [{ ca: false }, { ca: false, keyUsages: keyCertSign }, { ca: false, keyUsages: null }]) {
      const found = (await withIntermediate(overrides)).map(({ code }) => code);
      expect(found).toContain("issuer_not_ca");
      expect(found).not.toContain("untrusted_root");
    }
    const silent = await makeCertificate({
      name: "Silent",
      ca: null,
      keyUsages: keyCertSign,
      issuer: authority.root,
      untilDays: 900,
    });
    expect(judged([await authority.leaf({ issuer: silent }), silent], authority.root)).toMatchObject([
      { code: "issuer_not_ca", severity: "critical", evidence: { subject: "CN=Silent" } },
    ]);
  });

  test("another path is taken where one issuer of the same name and key is a CA", async () => {
    const ca = await makeCertificate({ name: "Twin", ca: true, issuer: authority.root, untilDays: 1825 });
    const plain = await makeCertificate({ name: "Twin", issuer: authority.root, untilDays: 1825, keysOf: ca });
    expect(judged([await authority.leaf({ issuer: ca }), plain, ca], authority.root).map(({ code }) => code)).toEqual(
      [],
    );
  });

  test("a path longer than an issuer permits, where self-issued certificates do not count", async () => {
    const root = await makeCertificate({ name: "Short Root", ca: true, pathLength: 1, untilDays: 900 });
    const one = await makeCertificate({ name: "One", ca: true, untilDays: 900, issuer: root });
    const self = await makeCertificate({ name: "One", ca: true, untilDays: 900, issuer: one });
    const two = await makeCertificate({ name: "Two", ca: true, untilDays: 900, issuer: one });
    expect(judged([await authority.leaf({ issuer: one }), one], root)).toEqual([]);
    expect(judged([await authority.leaf({ issuer: self }), self, one], root)).toEqual([]);
    expect(judged([await authority.leaf({ issuer: two }), two, one], root)).toMatchObject([
      {
        code: "path_too_long",
        severity: "critical",
        evidence: { subject: "CN=Short Root", path_length: 1, intermediates: 2 },
      },
    ]);
  });
});

describe("extensions", () => {
  test("critical and unknown", async () => {
    const extensions = [{ oid: "1.2.3.4", critical: true, hex: "0500" }];
    const unknown = { code: "unknown_critical_extension", severity: "critical" };
    expect(await withLeaf({ extensions })).toMatchObject([{ ...unknown, evidence: { extensions: ["1.2.3.4"] } }]);
    expect(await withIntermediate({ extensions })).toMatchObject([{ ...unknown, evidence: { role: "issuer" } }]);
    expect(await withLeaf({ extensions: [{ oid: "1.2.3.4", hex: "0500" }] })).toEqual([]);
  });

  test.each([
    ["2.5.29.15", "030100"],
    ["2.5.29.15", "0500"],
    ["2.5.29.37", "3000"],
    ["2.5.29.37", "30050603"],
  ])("malformed %s %s", async (oid, hex) => {
    expect(await withLeaf({ keyUsages: null, extensions: [{ oid, hex }] })).toMatchObject([
      {
        code: "invalid_certificate",
        severity: "critical",
        evidence: { problems: [{ problem: "malformed_extension", extension: oid }] },
      },
    ]);
  });

  test("repeated", async () => {
    expect(
      await withLeaf({ purposes: ["1.3.6.1.5.5.7.3.1"], extensions: [{ oid: "2.5.29.37", hex: "300406022a03" }] }),
    ).toMatchObject([{ code: "invalid_certificate", evidence: { problems: [{ problem: "duplicate_extension" }] } }]);
  });
});

describe("name constraints", () => {
  /** Subtrees in hexadecimal: `[tag, value]` pairs of general names. */
  const subtrees = (names: [tag: number, value: Buffer][]) =>
    sequence(0x30, ...names.map(([tag, value]) => sequence(0x30, sequence(tag, value))));
  const sequence = (tag: number, ...parts: Buffer[]) => {
    const content = Buffer.concat(parts);
    const { length } = content;
    const size = length < 0x80 ? [length] : [0x82, length >> 8, length & 0xff];
    return Buffer.concat([Buffer.from([tag, ...size]), content]);
  };
  const dns = (name: string): [number, Buffer] => [0x82, Buffer.from(name)];
  const ip = (hex: string): [number, Buffer] => [0x87, Buffer.from(hex, "hex")];
  const tagged = (tag: number, names: [number, Buffer][]) =>
    names.length === 0 ? Buffer.alloc(0) : Buffer.concat([Buffer.from([tag]), subtrees(names).subarray(1)]);
  const constraints = (permitted: [number, Buffer][], excluded: [number, Buffer][] = []) => ({
    oid: "2.5.29.30",
    critical: true,
    hex: sequence(0x30, tagged(0xa0, permitted), tagged(0xa1, excluded)).toString("hex"),
  });

  test.each([
    ["a permitted domain", [dns("good.test")], [], ["good.test", "www.GOOD.test"], null],
    ["a permitted parent", [dns("test")], [], ["good.test", "*.good.test"], null],
    ["any domain", [dns("")], [], ["good.test"], null],
    ["names below any domain", [dns(".")], [], ["good.test"], "not_permitted"],
    ["a longer domain", [dns("a.good.test")], [], ["good.test"], "not_permitted"],
    ["another domain", [dns("bad.test")], [], ["good.test"], "not_permitted"],
    ["a part of a label", [dns("ood.test")], [], ["good.test"], "not_permitted"],
    ["only names below", [dns(".good.test")], [], ["good.test"], "not_permitted"],
    ["names below", [dns(".good.test"), dns("good.test")], [], ["good.test", "a.good.test"], null],
    ["an excluded domain", [], [dns("good.test")], ["good.test"], "excluded"],
    ["an excluded name among others", [dns("test")], [dns("a.good.test")], ["good.test", "b.a.good.test"], "excluded"],
    ["addresses without a limit", [dns("good.test")], [], ["good.test", "192.0.2.1"], null],
    ["a permitted network", [ip("c0000200ffffff00")], [], ["good.test", "192.0.2.7"], null],
    ["another network", [ip("c0000200ffffff00")], [], ["good.test", "192.0.3.7"], "not_permitted"],
    ["a network of the other family", [ip("c0000200ffffff00")], [], ["good.test", "2001:db8::1"], "not_permitted"],
    ["no address at all", [dns("test")], [ip("0000000000000000")], ["good.test", "192.0.2.7"], "excluded"],
  ] as const)("%s", async (_what, permitted, excluded, sans, reason) => {
    const limited = await makeCertificate({
      ...{ name: "Limited", ca: true, untilDays: 900, issuer: authority.root },
      extensions: [constraints([...permitted], [...excluded])],
    });
    const findings = judged([await authority.leaf({ issuer: limited, sans: [...sans] }), limited], authority.root);
    const refused = { code: "name_not_permitted", severity: "critical" };
    expect(findings).toMatchObject(
      reason === null
        ? []
        : [{ ...refused, evidence: { subject: "CN=good.test", constrained_by: { subject: "CN=Limited" }, reason } }],
    );
  });

  test("of a root apply to all below it, and another path is taken where there is one", async () => {
    const root = await makeCertificate({
      name: "Limited Root",
      ca: true,
      untilDays: 900,
      extensions: [constraints([dns("bad.test")])],
    });
    const intermediate = await makeCertificate({ name: "Free", ca: true, untilDays: 900, issuer: root });
    const leaf = await authority.leaf({ issuer: intermediate });
    expect(judged([leaf, intermediate], root)).toMatchObject([
      { code: "name_not_permitted", evidence: { constrained_by: { subject: "CN=Limited Root" } } },
    ]);
    const cross = await makeCertificate({
      name: "Free",
      ca: true,
      untilDays: 900,
      issuer: authority.root,
      keysOf: intermediate,
    });
    const both = { ...root, pem: root.pem + authority.root.pem };
    expect(judged([leaf, intermediate, cross], both)).toEqual([]);
  });

  test("malformed", async () => {
    const hexes = ["30", "3000ff", "3006a004300282", sequence(0x30, tagged(0xa0, [ip("c00002")])).toString("hex")];
    for (const hex of hexes) {
      expect(await withIntermediate({ extensions: [{ oid: "2.5.29.30", critical: true, hex }] })).toMatchObject([
        { code: "invalid_certificate", evidence: { problems: [{ extension: "2.5.29.30" }] } },
      ]);
    }
  });

  const many = <T>(count: number, make: (n: number) => T) => Array.from({ length: count }, (_, n) => make(n));
  const dotted = (length: number) => `${"a.".repeat(length)}test`.slice(-length);

  test.each([
    ["addresses and networks", many(300, () => ip("0a000000ff000000")), many(300, (n) => `10.0.${n >> 8}.${n & 255}`)],
    ["characters of a name", [dns("test")], many(5, () => `x${".".repeat(16_000)}`)],
    ["characters of a name, by one", [dns("test")], [dotted(256)]],
    ["characters of a domain, by one", [dns("test"), dns(dotted(256))], []],
    ["lengths of domains", many(255, (n) => dns(dotted(n + 1))), many(130, (n) => `${n}.good.test`)],
  ])("are not compared where there are too many %s", async (_what, permitted, sans) => {
    const limited = await makeCertificate({
      ...{ name: "Limited", ca: true, untilDays: 900, issuer: authority.root },
      extensions: [constraints(permitted)],
    });
    const leaf = await authority.leaf({ issuer: limited, sans: ["good.test", ...sans] });
    expect(judged([leaf, limited], authority.root)).toMatchObject([
      { code: "name_not_permitted", evidence: { reason: "too_many", names: [] } },
    ]);
  });

  test("are compared with names as long as host names can be", async () => {
    const limited = await makeCertificate({
      ...{ name: "Limited", ca: true, untilDays: 900, issuer: authority.root },
      extensions: [constraints([dns("test")], [dns(`b${dotted(254)}`)])],
    });
    const leaf = await authority.leaf({ issuer: limited, sans: ["good.test", dotted(255)] });
    expect(judged([leaf, limited], authority.root)).toEqual([]);
  });
});

describe("fields", () => {
  test("a serial number of 21 bytes, unless it is that of the root", async () => {
    const serial = "11".repeat(21);
    expect(await withLeaf({ serial })).toMatchObject([
      {
        code: "invalid_certificate",
        severity: "info",
        evidence: { problems: [{ problem: "serial_too_long", extension: null }] },
      },
    ]);
    const root = await makeCertificate({ name: "Old Root", ca: true, untilDays: 900, serial });
    expect(judged([await authority.leaf({ issuer: root })], root)).toEqual([]);
  });

  test("a weak key of the root", async () => {
    const root = await makeCertificate({ name: "Weak Root", ca: true, untilDays: 900, key: "RSA-1024" });
    expect(judged([await authority.leaf({ issuer: root })], root)).toMatchObject([
      { code: "weak_key", severity: "critical", evidence: { subject: "CN=Weak Root", key_bits: 1024 } },
    ]);
  });
});
