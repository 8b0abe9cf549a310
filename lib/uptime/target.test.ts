import { describe, expect, test } from "vitest";
import { hostOf, parseHttpTarget, parseTcpTarget } from "@/lib/uptime/target";

describe("parseHttpTarget", () => {
  test.each(["https://example.com/", "http://example.com:8080/a?b=c", "https://[2001:db8::1]/", "http://192.0.2.1/"])(
    "takes %s",
    (text) => {
      expect(parseHttpTarget(text).href).toBe(text);
    },
  );

  test.each([
    ["example.com", "is not a valid URL"],
    ["ftp://example.com/", "must begin with http:// or https://"],
    ["javascript:alert(1)", "must begin with http:// or https://"],
    ["https://user:secret@example.com/", "must not contain a user or password: use headers"],
    ["https://example.com/#top", "must not have a fragment"],
    ["https:///", "is not a valid URL"],
  ])("refuses %s", (text, message) => {
    expect(() => parseHttpTarget(text)).toThrow(message);
  });

  test("normalizes short forms of an address", () => {
    expect(hostOf(parseHttpTarget("http://0x7f.1/"))).toBe("127.0.0.1");
    expect(hostOf(parseHttpTarget("http://[::ffff:127.0.0.1]/"))).toBe("::ffff:7f00:1");
  });
});

describe("parseTcpTarget", () => {
  test.each([
    ["db.example.com:5432", { host: "db.example.com", port: 5432 }],
    ["DB.example.com.:1", { host: "db.example.com", port: 1 }],
    ["[2001:db8::1]:22", { host: "2001:db8::1", port: 22 }],
    ["192.0.2.1:65535", { host: "192.0.2.1", port: 65_535 }],
  ])("reads %s", (text, target) => {
    expect(parseTcpTarget(text)).toEqual(target);
  });

  test.each(["example.com", "example.com:0", "example.com:65536", ":80", "2001:db8::1:22", "a b:1", "https://a:1"])(
    "refuses %s",
    (text) => {
      expect(() => parseTcpTarget(text)).toThrow();
    },
  );
});
