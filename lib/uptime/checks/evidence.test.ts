import { expect, test } from "vitest";
import { evidenceOf, KEPT_BODY, shownHeaders } from "@/lib/uptime/checks/evidence";
import { type Outcome, unsent } from "@/lib/uptime/checks/outcome";
import { storable } from "@/lib/uptime/checks/storable";

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

test("a text that is cut within a character, or has NUL, is stored with replacements", () => {
  expect(storable("ab🙂", 3)).toBe("ab\ufffd");
  expect(storable("ab🙂", 4)).toBe("ab🙂");
  expect(storable("a\0b", 3)).toBe("a\ufffdb");
});

test("a failure's detail and the shown headers are stored so, too", () => {
  expect(unsent("json_mismatch", `${"x".repeat(199)}🙂`).detail).toBe(`${"x".repeat(199)}\ufffd`);
  expect(unsent("protocol_error", "a\0b").detail).toBe("a\ufffdb");
  expect(shownHeaders({ [`x-${"🙂".repeat(250)}`]: [`a\0${"🙂".repeat(250)}`] })).toEqual({
    [`x-${"🙂".repeat(249)}`]: `a\ufffd${"🙂".repeat(249)}`,
  });
  expect(shownHeaders({ "x-a": [`${"x".repeat(499)}🙂`] })).toEqual({ "x-a": `${"x".repeat(499)}\ufffd` });
});
