import { describe, expect, test } from "vitest";
import { parseLine, readCsv, readLines } from "@/lib/certificates/endpoints/import-text";
import { toCsvLine } from "@/lib/text/csv";

describe("lines", () => {
  test.each([
    ["example.com", { host: "example.com" }],
    ["example.com:8443", { host: "example.com", port: 8443 }],
    ["https://example.com/", { host: "example.com", protocol: "https" }],
    ["SMTP://mail.example.com:587", { host: "mail.example.com", port: 587, protocol: "smtp" }],
    ["[2001:db8::1]:443", { host: "2001:db8::1", port: 443 }],
    ["2001:db8::1", { host: "2001:db8::1" }],
    ["example.com:https", { host: "example.com", port: "https" }],
    ["example.com/path", { host: "example.com/path" }],
    ["gopher://example.com", "protocol: must be one of tls, https, smtp, imap, pop3, ftp, ldap, postgres, mysql, xmpp"],
  ])("%s", (line, fields) => {
    expect(parseLine(line)).toEqual(fields);
  });

  test("comments and empty lines are skipped, and lines keep their number", () => {
    const items = readLines("# ours\r\n\r\na.test # first\n  b.test:1\n");
    expect(items.map(({ line, target }) => [line, target])).toEqual([
      [3, "a.test"],
      [4, "b.test:1"],
    ]);
  });
});

test("too many lines are rejected, and a long line is quoted in part", () => {
  expect(() => readLines("\n".repeat(10_000))).toThrow("must have at most 10000 lines");
  expect(readLines("x".repeat(1_000))[0]?.target).toHaveLength(300);
});

describe("CSV", () => {
  test("cells become fields, and an export's read-only columns are skipped", () => {
    const text = 'Host,port,tags,reported,status,sni\na.test,8443,"a b, c",true,critical,\nb.test,x,,maybe,ok,s.test\n';
    expect(readCsv(text)).toEqual([
      { line: 2, target: "a.test:8443", fields: { host: "a.test", port: 8443, tags: ["a", "b", "c"], reported: true } },
      { line: 3, target: "b.test:x", fields: { host: "b.test", port: "x", reported: "maybe", sni: "s.test" } },
    ]);
    const exported = [
      ["host", "owner", "renewal_note"],
      ["a.test", "@team", "- call Bob"],
    ]
      .map(toCsvLine)
      .join("");
    expect(readCsv(exported)).toMatchObject([{ fields: { owner: "@team", renewal_note: "- call Bob" } }]);
    const judged = 'host,trust_store_id,pins,expected_issuers\na.test,none,"[""ab"",""cd""]",[]\nb.test,,,Ours\n';
    expect(readCsv(judged).map(({ fields }) => fields)).toEqual([
      { host: "a.test", trust_store_id: null, pins: ["ab", "cd"], expected_issuers: [] },
      { host: "b.test", expected_issuers: "Ours" },
    ]);
    expect(readCsv("host\na.test,1\n")).toMatchObject([{ fields: "has more cells than the first line" }]);
  });

  test.each([
    ["a.test\n", /including host/],
    ["host,hots\na.test,b\n", /"hots" is unknown/],
    ['host\n"a.test\n', /line 2: a quote/],
  ])("refuses %j", (text, message) => {
    expect(() => readCsv(text)).toThrow(message);
  });
});
