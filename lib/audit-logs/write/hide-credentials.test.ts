import { expect, test } from "vitest";
import { hideCredentials } from "@/lib/audit-logs/write/hide-credentials";

test.each([
  ["signature=abc", "signature=[hidden]"],
  ["a=1&sig%6eature=abc&signature=def&b=2", "a=1&sig%6eature=[hidden]&signature=[hidden]&b=2"],
  ["Signature=abc", "Signature=[hidden]"],
  ["+signature=abc", "+signature=[hidden]"],
  ["secret_sha256=abc", "secret_sha256=[hidden]"],
  ["?signature=abc=def", "?signature=[hidden]"],
  ["", ""],
  ["signatures=abc&x=signature&%", "signatures=abc&x=signature&%"],
])("the query %s is recorded as %s", (query, recorded) => {
  expect(hideCredentials(query)).toBe(recorded);
});
