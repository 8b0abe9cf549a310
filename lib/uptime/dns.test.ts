import { describe, expect, test } from "vitest";
import { dnsSettings, isExpectedAnswer, parseLookup, parseResolver } from "@/lib/uptime/dns";
import type { RecordType } from "@/lib/uptime/record-types";

test.each([
  ["192.0.2.53", { host: "192.0.2.53", port: 53 }],
  ["192.0.2.53:5353", { host: "192.0.2.53", port: 5353 }],
  ["2001:DB8::53", { host: "2001:db8::53", port: 53 }],
  ["[2001:db8::53]:5353", { host: "2001:db8::53", port: 5353 }],
])("%s is a resolver", (text, server) => {
  expect(parseResolver(text)).toEqual(server);
});

test.each(["dns.example.com", "192.0.2", "192.0.2.53:0", "192.0.2.53:65536", "[192.0.2.53", "fe80::1%eth0", ""])(
  "%s is not a resolver",
  (text) => {
    expect(() => parseResolver(text)).toThrow("must");
    expect(dnsSettings.safeParse({ record_type: "A", resolver: text }).success).toBe(false);
  },
);

test("addresses are looked up only for PTR", () => {
  expect(parseLookup("192.0.2.1", "PTR")).toBe("192.0.2.1");
  expect(parseLookup("_dmarc.Example.com.", "TXT")).toBe("_dmarc.example.com");
  expect(() => parseLookup("192.0.2.1", "A")).toThrow("must be a host name");
});

describe("answers", () => {
  test.each<[RecordType, string[], string[]]>([
    ["A", ["192.0.2.1", "192.0.2.2"], ["192.0.2.2"]],
    ["AAAA", ["2001:db8::1"], ["2001:0DB8:0:0::1"]],
    ["MX", ["10 mail.example.com"], ["10  MAIL.example.com."]],
    ["CAA", ["0 issue letsencrypt.org"], ['0 issue "letsencrypt.org"']],
    ["SOA", ["ns1.example.com admin.example.com 7 1 1 1 1"], ["ns1.example.com."]],
    ["TXT", ["v=spf1 -all."], ["v=spf1 -all."]],
    ["TXT", ["v=spf1 -all"], ['"v=spf1 -all"']],
    ["TXT", ["v=DKIM1; k=rsa; p=MIIBIjANBg"], ['"v=DKIM1; k=rsa; " "p=MIIBIjANBg"']],
    ["TXT", ['say "hi" \\ \u00fc'], ['"say \\"hi\\" " "\\\\ \\252"']],
    ["TXT", ['he said "hi"'], ['he said "hi"']],
    ["TXT", [""], ['""']],
  ])("of %s are compared as their type is written", (record_type, answers, expected) => {
    expect(isExpectedAnswer(answers, { record_type, expected, match: "any" })).toBe(true);
  });

  test("match any, all, or exactly", () => {
    const fits = (match: "any" | "all" | "exactly", ...expected: string[]) =>
      isExpectedAnswer(["192.0.2.1", "192.0.2.2"], { record_type: "A", expected, match });
    expect([fits("any", "192.0.2.1", "192.0.2.9"), fits("any", "192.0.2.9")]).toEqual([true, false]);
    expect([fits("all", "192.0.2.1"), fits("all", "192.0.2.1", "192.0.2.9")]).toEqual([true, false]);
    expect([fits("exactly", "192.0.2.2", "192.0.2.1"), fits("exactly", "192.0.2.1")]).toEqual([true, false]);
    expect(isExpectedAnswer([], { record_type: "A", expected: [], match: "any" })).toBe(false);
    const text = { record_type: "TXT" as const, expected: ["V=spf1"], match: "any" as const };
    expect(isExpectedAnswer(["v=spf1"], text)).toBe(false);
  });
});
