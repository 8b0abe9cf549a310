import { describe, expect, test } from "vitest";
import { send } from "@/e2e/support/http";
import { newOrganization } from "@/e2e/support/organization";
import { rawRequest } from "@/e2e/support/raw";
import { sharedServer } from "@/e2e/support/servers/shared";
import { newSession } from "@/e2e/support/session";
import { unlessBusy } from "@/e2e/support/until";
import { securityHeaders } from "@/server/web/security-headers";

const server = sharedServer();
const get = (target: string, headers: Record<string, string> = {}) =>
  send(server.url, { method: "GET", target, headers });
const common = Object.fromEntries(
  Object.entries(securityHeaders(false)).map(([name, value]) => [name.toLowerCase(), value]),
);
const { "content-security-policy": _, ...others } = common;

/** The nonce of a page's policy, after making sure that it has one. */
function nonceOf(policy: string): string {
  const nonce = /script-src 'nonce-([^']+)' 'strict-dynamic'/.exec(policy)?.[1];
  if (nonce === undefined) throw new Error(`no nonce in ${policy}`);
  return nonce;
}

describe("every kind of response has the security headers", () => {
  test.each([
    ["a page", "/sign-in"],
    ["a redirect", "/"],
    ["a page that is not there", "/nothing"],
    ["a file", "/icon.svg"],
    ["a health check", "/healthz"],
    ["a sign-in endpoint", "/api/auth/csrf"],
    ["a sign-in endpoint that is not there", "/api/auth/nothing"],
  ])("%s", async (_, target) => {
    const { headers } = await get(target);
    expect(headers).toMatchObject(others);
    expect(headers).not.toHaveProperty("strict-transport-security");
    expect(nonceOf(String(headers["content-security-policy"]))).toMatch(/^\S{24}$/);
  });

  test.each([
    ["a refusal of the API", "/api/v1/api-keys"],
    ["a route that the API does not have", "/api/v1/nowhere"],
    ["a public document", "/api/v1/openapi.json"],
    ["a path that is not text", "/%E0%A4%A"],
    ["a file of the build that is not there", "/_next/static/nothing.js"],
  ])("%s, which allows nothing", async (_, target) => {
    expect((await get(target)).headers).toMatchObject(common);
  });

  test("the API's success", async () => {
    const { admin } = await newOrganization(server);
    expect((await admin.get("/api-keys")).headers).toMatchObject(common);
    expect((await unlessBusy(() => admin.get("/audit-logs/export?format=csv"))).headers).toMatchObject(common);
  });

  test.each([
    ["at the API", "GET /api/v1/api-keys HTTP/9.9\r\n\r\n"],
    ["elsewhere", "GET / HTTP/9.9\r\n\r\n"],
  ])("malformed bytes, %s", async (_, bytes) => {
    expect((await rawRequest(server, bytes))?.headers).toMatchObject(common);
  });
});

describe("a page's nonce", () => {
  test("is new in each response, and on all of its scripts and styles", async () => {
    const { cookie } = await newSession(server);
    const seen = new Set<string>();
    for (const target of ["/sign-in", "/nothing", "/api-keys", "/api-keys"]) {
      const { text, headers } = await get(target, target === "/api-keys" ? { cookie } : {});
      const nonce = nonceOf(String(headers["content-security-policy"]));
      seen.add(nonce);
      const tags = text.match(/<(script|style)\b[^>]*>/g) ?? [];
      expect(tags.length).toBeGreaterThan(3);
      expect(tags.filter((tag) => !tag.includes(`nonce="${nonce}"`))).toEqual([]);
    }
    expect(seen.size).toBe(4);
  });

  test("never comes from a request", async () => {
    const forged = "script-src 'nonce-Zm9yZ2VkLWZvcmdlZC0xMjM0NQ=='";
    const names = ["content-security-policy", "content-security-policy-report-only", "x-nonce"];
    const { text, headers } = await get("/sign-in", Object.fromEntries(names.map((name) => [name, forged])));
    expect(text + headers["content-security-policy"]).not.toContain("Zm9yZ2Vk");
    expect(text).toContain(`nonce="${nonceOf(String(headers["content-security-policy"]))}"`);
  });
});
