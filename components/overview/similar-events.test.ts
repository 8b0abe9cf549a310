import { expect, test } from "vitest";
import { similarEvents } from "@/components/overview/similar-events";
import type { AuditEvent } from "@/lib/audit-logs/contract";
import type { Flag } from "@/lib/audit-logs/flags";

function event(id: string, flag: Flag, keyId: string | null, ip = "192.0.2.1") {
  return {
    id,
    request: { method: "GET", path: "/x", route: "/x" },
    authentication: { api_key: keyId === null ? null : { id: keyId }, user: null },
    client: { ip_address: ip },
    security: { flags: [flag] },
    resource: { action: null },
  } as unknown as AuditEvent;
}

test("events that say the same are one line with a count, the latest shown", () => {
  const found = similarEvents([
    event("5", "rate_limited", "a"),
    event("4", "ip_not_allowed", "a"),
    event("3", "rate_limited", "a"),
    event("2", "rate_limited", "b"),
    event("1", "rate_limited", null),
    event("0", "rate_limited", null, "192.0.2.2"),
  ]);
  expect(found.map(({ event: { id }, count }) => [id, count])).toEqual([
    ["5", 2],
    ["4", 1],
    ["2", 1],
    ["1", 1],
    ["0", 1],
  ]);
});
