import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { toCurl } from "@/components/audit-logs/entry/curl";
import type { AuditEventWithBody } from "@/lib/audit-logs/contract";

type Request = NonNullable<AuditEventWithBody["request"]>;

const get: Request = {
  method: "GET",
  path: "/api/v1/audit-logs",
  route: "/api/v1/audit-logs",
  query: null,
  body_size: 0,
  content_type: null,
  body: null,
  body_encoding: null,
};

function command(request: Partial<Request>): string | null {
  return toCurl({ request: { ...get, ...request } } as AuditEventWithBody, "http://host:3000");
}

/** The arguments that a shell passes to curl. */
function argumentsOf(text: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }; ${text}`;
  return execFileSync("sh", ["-c", script], { encoding: "utf8", env: { ...process.env, KEY: "sw_x" } })
    .split("\0")
    .slice(0, -1);
}

test("a GET command holds the URL and the key's variable, never a secret", () => {
  expect(command({ query: "limit=2&q=a%20b" })).toBe(
    `curl 'http://host:3000/api/v1/audit-logs?limit=2&q=a%20b' \\\n  -H "Authorization: Bearer $KEY"`,
  );
});

test("a shell passes on exactly the same body, including quotes and line breaks", () => {
  const body = `{"name": "it's $HOME \\"x\\"\n!"}`;
  const text = command({ method: "POST", body, body_encoding: "utf8", body_size: 9, content_type: "application/json" });
  expect(argumentsOf(text ?? "")).toEqual([
    "-X",
    "POST",
    "http://host:3000/api/v1/audit-logs",
    "-H",
    "Authorization: Bearer sw_x",
    "-H",
    "Content-Type: application/json",
    "--data-raw",
    body,
  ]);
});

test("a path cannot escape its quotes", () => {
  expect(argumentsOf(command({ path: "/api/v1/x';id;'" }) ?? "")[0]).toBe("http://host:3000/api/v1/x';id;'");
});

test("curl does not read brackets as ranges", () => {
  expect(command({ query: "a[]=1" })).toContain("curl --globoff 'http://host:3000/api/v1/audit-logs?a[]=1'");
});

test("binary bodies are piped in", () => {
  const text = command({ method: "PUT", body: "AP8=", body_encoding: "base64", body_size: 2 });
  expect(text).toContain("echo 'AP8=' | base64 -d | curl -X 'PUT'");
  expect(text).toContain("--data-binary @-");
});

test("no command for an event without a request or without its stored body", () => {
  expect(toCurl({ request: null } as AuditEventWithBody, "http://host")).toBeNull();
  expect(command({ method: "POST", body: null, body_size: 5_000_000 })).toBeNull();
});
