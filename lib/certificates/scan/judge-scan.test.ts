import { describe, expect, test } from "vitest";
import { type Finding, found } from "@/lib/certificates/findings";
import { type StoredScan, withScan } from "@/lib/certificates/scan/judge-scan";
import type { TlsScan } from "@/lib/certificates/scan-contract";

const not_after = "2027-01-01T00:00:00.000Z";
const certificate = (sha256: string, key_type: string) => ({ id: `id-${sha256}`, sha256, key_type, not_after });

function scanOf(shown: Partial<TlsScan> = {}, findings: Record<string, Finding[]> = { aa: [] }): StoredScan {
  return {
    shown: {
      ...{ at: "2026-11-23T12:00:00.000Z", address: "192.0.2.1", protocols: ["TLSv1.3", "TLSv1.2"], weak_ciphers: [] },
      ...{ forward_secrecy: true, authenticated_encryption: true, post_quantum: false },
      certificates: [certificate("aa", "ec")],
      ...shown,
    },
    findings,
  };
}

const judged = (scan: StoredScan, own: Finding[] = [], sha256 = "aa") =>
  withScan(own, scan, sha256).map(({ code, severity, evidence }) => [code, severity, evidence]);

const address = "192.0.2.1";
const [EC, RSA] = [certificate("aa", "ec"), certificate("bb", "rsa")];
const expired = found("expired", "critical", { not_after });

describe("with a scan", () => {
  test.each<[string, StoredScan, unknown[]]>([
    ["nothing is found of a modern server", scanOf(), []],
    [
      "old versions are found",
      scanOf({ protocols: ["TLSv1.2", "TLSv1", "SSLv3"] }),
      [["legacy_protocol", "warning", { address, protocols: ["TLSv1", "SSLv3"] }]],
    ],
    [
      "ciphers that protect from nobody are critical",
      scanOf({ weak_ciphers: ["null", "rc4"] }),
      [["weak_cipher", "critical", { address, weak: ["null", "rc4"] }]],
    ],
    [
      "a server without better ciphers is warned of",
      scanOf({ forward_secrecy: false, authenticated_encryption: false }),
      [["weak_cipher", "warning", { address, weak: ["no_forward_secrecy", "no_authenticated_encryption"] }]],
    ],
    [
      "what was found of the other key type's certificate is found",
      scanOf({ certificates: [EC, RSA] }, { aa: [], bb: [expired] }),
      [["expired", "critical", { not_after, other_certificate: { sha256: "bb", key_type: "rsa" } }]],
    ],
    [
      "two certificates for one key type take turns",
      scanOf({ certificates: [EC, RSA, certificate("cc", "ec")] }, { aa: [], bb: [], cc: [] }),
      [
        [
          "certificates_alternate",
          "warning",
          { address, certificates: ["aa", "cc"].map((sha256) => ({ id: `id-${sha256}`, sha256, not_after })) },
        ],
      ],
    ],
  ])("%s", (_what, scan, expected) => {
    expect(judged(scan)).toEqual(expected);
  });

  test("findings of the check come first, unless others are more severe", () => {
    const scan = scanOf({ certificates: [EC, RSA] }, { aa: [expired], bb: [expired] });
    const soon = found("expires_soon", "info", {});
    expect(judged(scan, [found("expired", "critical", {}), soon])).toEqual([
      ["expired", "critical", {}],
      ["expires_soon", "info", {}],
    ]);
  });

  test("certificates of a scan from before a change do not count", () => {
    const scan = scanOf({ protocols: ["TLSv1"], certificates: [EC, RSA] }, { aa: [], bb: [expired] });
    expect(judged(scan, [], "dd").map(([code]) => code)).toEqual(["legacy_protocol"]);
  });
});
