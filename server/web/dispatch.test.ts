import { existsSync } from "node:fs";
import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { endpoints } from "@/lib/api/endpoints";
import { isApi, isBadge, isDecodable, isStatusPage, limitsItself, shapeForNext, targetOf } from "@/server/web/dispatch";

const ID = "01a1fcff-6680-7420-917f-1d9e34253279";
const CATCH_ALL = "/api/v1/-";

function shaped(method: string, target: string, headers: Record<string, string> = {}) {
  const message = new IncomingMessage(new Socket());
  Object.assign(message, { method, url: target });
  for (const [name, value] of Object.entries(headers)) message.headers[name] = value;
  shapeForNext(message, target);
  return message;
}

const pageOf = (target: string) => {
  const message = new IncomingMessage(new Socket());
  return shapeForNext(Object.assign(message, { method: "GET", url: target }), target).page;
};

test.each([
  ["/status/%ff", false],
  ["/status/%C3%A4", true],
  ["/status/%C3", false],
  ["/certificates?x=%ff", true],
  ["/%", false],
])("whether the path of %s can be decoded: %s", (target, isDecoded) => {
  expect(isDecodable(target)).toBe(isDecoded);
});

test.each([
  [`/heartbeat/${"a".repeat(43)}`, true],
  [`/heartbeat/${"_-aZ9".repeat(9).slice(2)}?exit=0`, true],
  ["/witness/add-checkpoint", true],
  ["/heartbeat/x", false],
  ["/heartbeat/", false],
  [`/heartbeat/${"a".repeat(43)}/`, false],
  [`/heartbeat/${"a".repeat(43)}/x`, false],
  [`/x?/heartbeat/${"a".repeat(43)}`, false],
  ["/witness/", false],
  ["/witness/add-checkpoint/x", false],
  ["/witness/add-checkpoints", false],
])("whether %s has limits of its own: %s", (target, itself) => {
  expect(limitsItself(target)).toBe(itself);
});

describe("the target of a request", () => {
  test.each([
    ["/api/v1/x?y=1", "/api/v1/x?y=1"],
    ["http://example.com/api/v1/x?y=1", "/api/v1/x?y=1"],
    ["HTTPS://user@example.com:8443/a", "/a"],
    ["http://example.com", "/"],
    ["http://example.com?x=1", "/?x=1"],
    ["http://[/", "/"],
    ["http:///api/v1", "/api/v1"],
    ["*", "/*"],
    ["", "/"],
    ["//example.com/api/v1", "//example.com/api/v1"],
    ["/http://example.com/api/v1", "/http://example.com/api/v1"],
  ])("%j → %j", (url, target) => {
    expect(targetOf(url)).toBe(target);
  });

  test("always begins with a slash", () => {
    const piece = fc.constantFrom("http:", "HTTPS:", "/", "//", "a.example", ":80", "[", "@", "?", "#", "*", "x");
    fc.assert(fc.property(fc.array(piece), (pieces) => targetOf(pieces.join("")).startsWith("/")));
  });
});

describe("a target of the API", () => {
  test.each([
    "/api/v1",
    "/api/v1/",
    "/api/v1?x",
    "/api/v1#x",
    "/api/v1/api-keys",
    "/api/v1//api-keys",
    "/api/v1/%",
    "/api/v1/../../x",
    "/x/../api/v1/api-keys",
    "/./api/v1",
    "/%2e/api/v1",
    "/api\\v1\\api-keys",
  ])("is %s", (target) => {
    expect(isApi(target)).toBe(true);
  });

  test.each([
    "/",
    "/api",
    "/api/v10",
    "/api/v1;x",
    "/api/v1.json",
    "/api/auth/session",
    "/API/v1",
    "/%61pi/v1",
    "/api%2Fv1",
    "//api/v1",
    "/api//v1",
    "/x?/api/v1",
    "/x#/api/v1",
    "/[",
  ])("is not %s", (target) => {
    expect(isApi(target)).toBe(false);
  });
});

describe("the shape in which Next gets an API request", () => {
  test.each(endpoints.map(({ path }) => `/api/v1${path.replaceAll(/\{\w+\}/g, ID)}`))("%s stays", (path) => {
    expect(shaped("GET", path).url).toBe(path);
    expect(shaped("GET", `${path}?a=1&b=%zz?`).url).toBe(`${path}?a=1&b=%zz?`);
  });

  test.each([
    ["/api/v1/api-keys", "api-keys"],
    [`/api/v1/api-keys/${ID}/rotate?x=1`, "api-keys/[id]/rotate"],
    ["/api/v1/certificates/endpoints/history", "certificates/endpoints/[id]"],
    ["/api/v1/nowhere", "[[...path]]"],
  ])("%s is answered by app/api/v1/%s/route.ts", (target, folder) => {
    expect(pageOf(target)).toBe(`/api/v1/${folder}/route`);
  });

  test.each(endpoints.map(({ path }) => path))("%s has its handlers", (path) => {
    expect(existsSync(`app${pageOf(`/api/v1${path.replaceAll(/\{\w+\}/g, ID)}`)}.ts`)).toBe(true);
  });

  test.each([
    "/api/v1",
    "/api/v1/",
    "/api/v1?x=1",
    "/api/v1/nowhere",
    "/api/v1/api-keys/",
    "/api/v1//api-keys",
    "/api/v1/api-keys#x",
    `/api/v1/api-keys/${ID}/`,
    `/api/v1/api-keys/${ID}/rotate/x`,
    "/api/v1/api-keys/%41",
    "/api/v1/api-keys/..",
    "/api/v1/openapiXjson",
    "/x/../api/v1/api-keys",
    "/api/v1/api-keys\n",
  ])("%j goes to the catch-all", (path) => {
    expect(shaped("GET", path).url).toBe(CATCH_ALL);
  });

  test.each(["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"])("%s stays", (method) => {
    expect(shaped(method, "/api/v1/api-keys").method).toBe(method);
  });

  test.each(["HEAD", "TRACE", "PROPFIND", "QUERY", "M-SEARCH", "get"])("%s goes as OPTIONS", (method) => {
    expect(shaped(method, "/api/v1/api-keys").method).toBe("OPTIONS");
  });

  test("headers that control Next are removed, all others stay", () => {
    const kept = {
      authorization: "Bearer x",
      cookie: "a=b",
      "content-type": "application/json",
      "x-forwarded-for": "::1",
    };
    const steering = [
      "rsc",
      "next-action",
      "next-router-state-tree",
      "x-nextjs-data",
      "x-middleware-invoke",
      "x-invoke-path",
    ];
    const all = { ...kept, ...Object.fromEntries(steering.map((name) => [name, "1"])) };
    expect(shaped("GET", "/api/v1/api-keys", all).headers).toEqual(kept);
  });

  test("is a known path or the catch-all for any input", () => {
    const piece = fc.constantFrom("/", "api", "v1", "api-keys", ID, "..", "%2f", "\\", "?", "#", "x");
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const target = `/api/v1/${pieces.join("")}`;
        const { url } = shaped("GET", target);
        expect([target, CATCH_ALL]).toContain(url);
        if (url === target) expect(target.split("?")[0]).toMatch(/^\/api\/v1\/api-keys(\/[A-Za-z0-9-]+(\/rotate)?)?$/);
      }),
    );
  });
});

test.each([
  ["/status/acme", "page"],
  ["/status/acme/?x=1", "page"],
  ["/status-pages/01a1fcff-6680-7420-917f-1d9e34253279/preview", "page"],
  ["/status/acme/badge.svg?show=uptime", "badge"],
  ["/status/acme/shop/badge.svg", "badge"],
  ["/status/badge.svg", "page"],
  ["/status", null],
  ["/status/acme/a/b/badge.svg", null],
  ["/status-pages/01a1fcff-6680-7420-917f-1d9e34253279", null],
  ["/statuses/acme", null],
])("%s is public: %s", (target, expected) => {
  expect(isStatusPage(target) ? "page" : isBadge(target) ? "badge" : null).toBe(expected);
});
