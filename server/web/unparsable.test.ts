import { expect, test } from "vitest";
import { afterLastRequest } from "@/server/web/unparsable";

const GET = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n";
const POST = "POST /api/v1/api-keys HTTP/1.1\r\nContent-Length: 8\r\n\r\n";
const BAD = "GET /api/v1/sites?x=1 HTTP/1.1\r\nb ad\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n";

test.each([
  ["nothing", "", BAD],
  ["a request", GET, BAD],
  ["two requests", GET + GET, BAD],
  ["a request with a body", `${POST}{"a": 1}`, BAD],
  ["a body with an empty line", `${POST}{\r\n\r\n  }`, BAD],
  ["the end of a body", `"b": 2}`, BAD],
  ["a request", GET, "nothing that is known\r\n\r\n"],
])("after %s, what cannot be parsed is found", (_, before, bad) => {
  const parsed = before.length + Math.max(0, bad.indexOf("b ad") + 1);
  expect(afterLastRequest(before + bad, parsed)).toBe(bad);
});
