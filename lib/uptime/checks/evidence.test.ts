import { expect, test } from "vitest";
import { evidenceOf, KEPT_BODY, shownHeaders } from "@/lib/uptime/checks/evidence";
import type { Outcome } from "@/lib/uptime/checks/outcome";

test("values that may be secrets are hidden, long ones are cut", () => {
  const shown = shownHeaders({
    "set-cookie": ["sid=1", "b=2"],
    "www-authenticate": ["Basic"],
    "x-api-key": ["k"],
    server: ["nginx"],
    vary: ["a", "b"],
    "x-long": ["x".repeat(600)],
  });
  expect(shown).toEqual({
    "set-cookie": "(hidden)",
    "www-authenticate": "(hidden)",
    "x-api-key": "(hidden)",
    server: "nginx",
    vary: "a, b",
    "x-long": "x".repeat(500),
  });
  const many = Object.fromEntries(Array.from({ length: 80 }, (_, at) => [`x-${at}`, ["1"]]));
  expect(Object.keys(shownHeaders(many))).toHaveLength(50);
});

test("the beginning of the body is kept as text that JSON and PostgreSQL can hold", () => {
  const outcome: Outcome = {
    ...{ at: new Date(), ok: false, reason: "unexpected_status", detail: "500", statusCode: 500, address: "192.0.2.1" },
    ...{ dnsUs: null, connectUs: 1500, tlsUs: null, ttfbUs: 2500, totalUs: 5000 },
    response: { headers: {}, body: Buffer.from(`a\0b\xff${"x".repeat(KEPT_BODY)}`, "latin1") },
  };
  const kept = evidenceOf(outcome);
  expect(kept).toMatchObject({ status_code: 500, connect_ms: 1.5, ttfb_ms: 2.5, total_ms: 5, body_truncated: true });
  expect(kept?.body).toBe(`a\ufffdb\ufffd${"x".repeat(KEPT_BODY - 4)}`);
  expect(evidenceOf({ ...outcome, response: null })).toBeNull();
});
