import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isConfidential, recognize } from "@/components/search/recognize";
import { newSecret } from "@/lib/auth/secret";
import { hintOf } from "@/lib/auth/secret-form";
import { formatNetwork, parseNetwork } from "@/lib/networks";

const ID = "019aa9b6-7d5c-7c3e-8a51-0f6f1c3e2b4d";
const SHA256 = "0a".repeat(32);
const colons = (hex: string) => hex.toUpperCase().match(/../g)?.join(":") ?? "";

test.each([
  [ID, { kind: "id", id: ID }],
  [` x-request-id: ${ID.toUpperCase()}\n`, { kind: "id", id: ID }],
  [`{"error":{"code":"NOT_FOUND","request_id":"${ID}"}}`, { kind: "id", id: ID }],
  [`https://watch.example/audit-logs/${ID}`, { kind: "id", id: ID }],
  ["sw_Ab…x9Zk", { kind: "hint", hint: "sw_Ab…x9Zk" }],
  ["sw_Ab...x9Zk", { kind: "hint", hint: "sw_Ab…x9Zk" }],
  ["203.0.113.7", { kind: "network", network: "203.0.113.7" }],
  ["203.0.113.7:51324", { kind: "network", network: "203.0.113.7" }],
  ["::ffff:203.0.113.7", { kind: "network", network: "203.0.113.7" }],
  ["[2001:DB8::1]:443", { kind: "network", network: "2001:db8::1" }],
  ["203.0.113.77/24", { kind: "network", network: "203.0.113.0/24" }],
  ["203.0.113.0/24", { kind: "network", network: "203.0.113.0/24" }],
  [SHA256, { kind: "fingerprint", sha256: SHA256 }],
  [`SHA256 Fingerprint=${colons(SHA256)}`, { kind: "fingerprint", sha256: SHA256 }],
  ["04:3a:9f:12:77:aa:bc:de:f0:11", { kind: "serial", serial: "043a9f1277aabcdef011" }],
  ["0x043A9F1277AABCDE", { kind: "serial", serial: "043a9f1277aabcde" }],
  ["/api/v1/certificates", { kind: "path", path: "/api/v1/certificates" }],
  [`GET /api/v1/api-keys/${ID}?limit=5`, { kind: "path", path: `/api/v1/api-keys/${ID}` }],
  ["https://watch.example/api/v1/alerts?x=1", { kind: "path", path: "/api/v1/alerts" }],
  ["shop.example.com", { kind: "host", host: "shop.example.com" }],
  ["https://Shop.example.com:8443/cart", { kind: "host", host: "shop.example.com" }],
  ["https://192.0.2.1/", { kind: "network", network: "192.0.2.1" }],
  ["*.example.com", { kind: "host", host: "example.com" }],
  ["404", { kind: "status", status: "404" }],
  ["4XX", { kind: "status", status: "4xx" }],
])("%s", (text, expected) => {
  expect(recognize(text)).toEqual(expected);
});

test.each([
  "",
  "ci-deploy",
  "status",
  "600",
  "20261122",
  "1.2.3",
  "203.0.113.7/33",
  `${ID} ${ID.replace("0", "1")}`,
  "/a,b",
])("%j is only text", (text) => {
  expect(recognize(text)).toBeNull();
});

describe("a secret", () => {
  const around = fc.string({ maxLength: 600 }).filter((text) => !/[0-9A-Za-z]$/.test(text) && !text.includes("sw_"));
  const after = fc.constantFrom("", "\n", '"', " and more", "'; rm", "\u00e9");

  test("is recognized wherever it stands in a text", () => {
    fc.assert(
      fc.property(around, after, (before, rest) => {
        const secret = newSecret();
        expect(recognize(before + secret + rest)).toEqual({ kind: "secret", secret, hint: hintOf(secret) });
      }),
    );
  });

  test("is never taken for harmless text, whole, cut off or changed", () => {
    fc.assert(
      fc.property(around, fc.integer({ min: 19, max: 80 }), fc.integer({ min: 3, max: 48 }), (before, length, at) => {
        const secret = newSecret();
        const changed = `${secret.slice(0, at)}${secret[at] === "x" ? "y" : "x"}${secret.slice(at + 1)}`;
        for (const text of [before + (secret + "Z".repeat(40)).slice(0, length), before + changed]) {
          expect(isConfidential(text)).toBe(true);
          expect(["secret", "damaged_secret"]).toContain(recognize(text)?.kind);
        }
      }),
    );
  });
});

test("whatever passes for an address or a network, the API takes for one", () => {
  const prefix = fc.option(fc.integer({ min: 0, max: 33 }), { nil: undefined });
  const texts = fc.tuple(
    fc.oneof(fc.ipV4(), fc.ipV6(), fc.string({ unit: fc.constantFrom(..."0aF1:."), maxLength: 45 })),
    prefix,
  );
  fc.assert(
    fc.property(texts, ([address, length]) => {
      const found = recognize(length === undefined ? address : `${address}/${length}`);
      if (found?.kind !== "network" || (found.network.includes(":") && length !== undefined)) return;
      expect(() => parseNetwork(found.network)).not.toThrow();
    }),
    { numRuns: 1_000 },
  );
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (address) => {
      fc.pre(!/^(..:){7}..$|:.*\./.test(address));
      const found = recognize(address);
      expect(found?.kind).toBe("network");
      expect(formatNetwork(parseNetwork(found?.kind === "network" ? found.network : ""))).toBe(
        formatNetwork(parseNetwork(address)),
      );
    }),
  );
});

test("any text is recognized as something or nothing, and text that is not a secret is short", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ maxLength: 2_000 }),
        fc.string({ unit: fc.constantFrom(..."0af:./- sw_GET"), maxLength: 2_000 }),
      ),
      (text) => {
        const found = recognize(text);
        if (found !== null && found.kind !== "secret") expect(JSON.stringify(found).length).toBeLessThan(600);
      },
    ),
    { numRuns: 1_000 },
  );
});
