import { expect, test } from "vitest";
import { compareUrgency } from "@/components/certificates/urgency";
import type { EndpointStatus } from "@/lib/certificates/contract";

function endpoint(host: string, status: EndpointStatus, not_after: string | null) {
  return { host, port: 443, status, certificate: not_after === null ? null : { not_after } };
}

test("the gravest come first, then what ends soonest, then by name", () => {
  const soon = "2026-12-01T00:00:00.000Z";
  const late = "2027-12-01T00:00:00.000Z";
  const sorted = [
    endpoint("b", "ok", late),
    endpoint("fresh", "pending", null),
    endpoint("a", "ok", late),
    endpoint("soon", "ok", soon),
    endpoint("down", "unreachable", null),
    endpoint("bad", "critical", late),
    endpoint("warned", "warning", soon),
  ].sort(compareUrgency);
  expect(sorted.map(({ host }) => host)).toEqual(["bad", "down", "warned", "fresh", "soon", "a", "b"]);
});
