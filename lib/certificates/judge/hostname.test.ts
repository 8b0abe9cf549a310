import { describe, expect, test } from "vitest";
import { coversHost } from "@/lib/certificates/judge/hostname";

const dns = (value: string) => ({ type: "dns" as const, value });
const ip = (value: string) => ({ type: "ip" as const, value });

describe("coversHost", () => {
  test.each([
    ["example.com", "example.com"],
    ["EXAMPLE.com", "example.COM"],
    ["example.com.", "example.com"],
    ["example.com", "example.com."],
    ["*.example.com", "www.example.com"],
    ["*.example.com", "xn--bcher-kva.example.com"],
    ["xn--bcher-kva.example", "xn--bcher-kva.example"],
    ["localhost", "localhost"],
  ])("%s covers %s", (name, host) => {
    expect(coversHost([dns("other.test"), dns(name)], host)).toBe(true);
  });

  test.each([
    ["example.com", "www.example.com"],
    ["www.example.com", "example.com"],
    ["*.example.com", "example.com"],
    ["*.example.com", ".example.com"],
    ["*.example.com", "a.b.example.com"],
    ["*.example.com", "www.example.org"],
    ["*.example.com", "wwwexample.com"],
    ["w*.example.com", "www.example.com"],
    ["*w.example.com", "www.example.com"],
    ["www.*.com", "www.example.com"],
    ["*.*.com", "www.example.com"],
    ["*.com", "example.com"],
    ["*", "localhost"],
    ["192.0.2.7", "192.0.2.7"],
    ["*.0.2.7", "192.0.2.7"],
    ["good.test\\x00.evil.test", "good.test"],
  ])("%s does not cover %s", (name, host) => {
    expect(coversHost([dns(name)], host)).toBe(false);
  });

  test("an address is covered only by an address, in any notation", () => {
    expect(coversHost([ip("192.0.2.7")], "192.0.2.7")).toBe(true);
    expect(coversHost([ip("2001:db8::7")], "2001:DB8:0:0::7")).toBe(true);
    expect(coversHost([ip("192.0.2.8")], "192.0.2.7")).toBe(false);
    expect(coversHost([ip("192.0.2.7")], "good.test")).toBe(false);
    expect(coversHost([], "good.test")).toBe(false);
  });
});
