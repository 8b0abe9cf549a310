import "reflect-metadata";
import { rootCertificates } from "node:tls";
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
import { judgeRules } from "@/lib/certificates/judge/judge-rules";
import { judgeStrength } from "@/lib/certificates/judge/judge-strength";
import { judgeUsage } from "@/lib/certificates/judge/judge-usage";
import { parseCertificate, parsePem } from "@/lib/certificates/x509/x509";

const SERVER_AUTH = "1.3.6.1.5.5.7.3.1";
const CLIENT_AUTH = "1.3.6.1.5.5.7.3.2";
const CODE_SIGNING = "1.3.6.1.5.5.7.3.3";
const ANY = "2.5.29.37.0";

let authority: Authority;
beforeAll(async () => {
  authority = await makeAuthority("Usage");
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

describe("extended key usage", () => {
  test.each([
    ["only clients", [CLIENT_AUTH], ["client_auth"]],
    ["only code", [CODE_SIGNING], ["code_signing"]],
    ["anything, which OpenSSL does not accept", [ANY], ["any"]],
    ["an unknown purpose", ["1.2.3.4"], ["1.2.3.4"]],
  ])("%s", async (_what, purposes, names) => {
    const limited = { code: "not_for_servers", severity: "critical" };
    expect(await withLeaf({ purposes })).toMatchObject([
      { ...limited, evidence: { subject: "CN=good.test", role: "server", extended_key_usages: names } },
    ]);
    expect(await withIntermediate({ purposes })).toMatchObject([
      { ...limited, evidence: { subject: "CN=Odd", role: "issuer", extended_key_usages: names } },
    ]);
  });

  test("servers among others, or no limit", async () => {
    expect(await withLeaf({ purposes: [CLIENT_AUTH, SERVER_AUTH] })).toEqual([]);
    expect(await withIntermediate({ purposes: [SERVER_AUTH, CLIENT_AUTH] })).toEqual([]);
  });
});

describe("key usage", () => {
  const { keyCertSign, cRLSign, dataEncipherment, keyEncipherment, digitalSignature } = KeyUsageFlags;

  test("a server key for nothing that TLS does", async () => {
    expect(await withLeaf({ keyUsages: dataEncipherment })).toMatchObject([
      {
        code: "wrong_key_usage",
        severity: "critical",
        evidence: { role: "server", key_usages: ["data_encipherment"] },
      },
    ]);
    expect(await withLeaf({ keyUsages: digitalSignature | keyEncipherment })).toEqual([]);
    expect(await withLeaf({ keyUsages: null })).toEqual([]);
  });

  test("a server key that must not sign is fit for RSA key exchange alone", async () => {
    const chain = [await authority.leaf({ key: "RSA-2048", keyUsages: keyEncipherment }), authority.intermediate];
    const warned = [{ code: "wrong_key_usage", severity: "warning", evidence: { required: ["digital_signature"] } }];
    for (const cipher of [null, "TLS_AES_128_GCM_SHA256", "ECDHE-RSA-AES128-GCM-SHA256"]) {
      expect(judged(chain, authority.root, { cipher })).toMatchObject(warned);
    }
    expect(judged(chain, authority.root, { cipher: "AES128-SHA" })).toEqual([]);
  });

  test("an issuer that must not sign certificates, served or anchor", async () => {
    const wrong = { code: "wrong_key_usage", severity: "critical" };
    expect(await withIntermediate({ keyUsages: cRLSign })).toMatchObject([
      { ...wrong, evidence: { subject: "CN=Odd", role: "issuer", required: ["key_cert_sign"] } },
    ]);
    const root = await makeCertificate({ name: "Mute Root", ca: true, keyUsages: cRLSign, untilDays: 900 });
    expect(judged([await authority.leaf({ issuer: root })], root)).toMatchObject([wrong]);
    expect(await withIntermediate({ keyUsages: keyCertSign })).toEqual([]);
  });
});

describe("basic constraints", () => {
  test("a CA certificate as server certificate, unless it is trusted itself", async () => {
    const { digitalSignature, keyCertSign } = KeyUsageFlags;
    const keyUsages = digitalSignature | keyCertSign;
    expect(await withLeaf({ ca: true, keyUsages })).toMatchObject([{ code: "ca_as_leaf", severity: "warning" }]);
    expect((await withLeaf({ ca: true })).map(({ code }) => code)).toEqual(["wrong_key_usage", "ca_as_leaf"]);
    const own = await makeCertificate({ name: "good.test", sans: ["good.test"], ca: true, keyUsages });
    expect(judged([own], own)).toEqual([]);
  });
});

test("a path without faults is taken where there is one", async () => {
  const { root } = authority;
  const good = await makeCertificate({ name: "Cross", ca: true, untilDays: 900, issuer: root });
  const cross = { name: "Cross", ca: true, untilDays: 900, issuer: root, keysOf: good };
  const odd = [
    await makeCertificate({ ...cross, purposes: [CLIENT_AUTH] }),
    await makeCertificate({ ...cross, keyUsages: KeyUsageFlags.cRLSign }),
    await makeCertificate({ ...cross, extensions: [{ oid: "1.2.3.4", critical: true, hex: "0500" }] }),
    await makeCertificate({ ...cross, digest: "SHA-1" }),
  ];
  const leaf = await authority.leaf({ issuer: good });
  for (const each of odd) {
    const findings = judged([leaf, each, good], root);
    expect(findings.map(({ code }) => code)).toEqual([]);
  }
});

test("nothing is wrong with any public root", async () => {
  const leaf = parseCertificate((await authority.leaf()).der);
  for (const root of rootCertificates.flatMap(parsePem)) {
    const path = { path: [leaf, root], end: "trusted" as const };
    expect([...judgeUsage(path), ...judgeStrength(path), ...judgeRules(path)]).toEqual([]);
  }
});
