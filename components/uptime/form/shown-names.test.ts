import { expect, test } from "vitest";
import { failureOf } from "@/components/states/failure";
import { fieldsOf, type MonitorFields } from "@/components/uptime/form/monitor-fields";
import { shownNames } from "@/components/uptime/form/shown-names";

const refused = (path: string) =>
  Object.assign(new Error(`${path}: is wrong.`), {
    name: "RequestFailed",
    code: "INVALID_REQUEST",
    details: { issues: [{ path, message: "is wrong" }] },
  });

/** Where the form shows an issue of this path: at a field, or above its buttons. */
function place(path: string, change: Partial<MonitorFields>) {
  const names = Object.values(shownNames({ ...fieldsOf(undefined), ...change })).flat();
  const { message, fields } = failureOf(refused(path), names);
  return message === null ? Object.keys(fields) : message;
}

test.each([
  ["expected_text", { type: "http" }],
  ["min_certificate_days", { type: "tcp", tls: true }],
  ["authentication.token", { type: "http", authentication: "bearer" }],
  ["request_body", { type: "http", method: "POST" }],
  ["dns.expected", { type: "dns" }],
  ["ping.count", { type: "ping" }],
  ["grace_seconds", { type: "heartbeat" }],
] as const)("an issue of %s is shown at its field", (path, change) => {
  expect(place(path, change)).toEqual([path]);
});

test("an issue of a part is shown at the control of the whole", () => {
  expect(place("authentication.token", { type: "http", authentication: "none" })).toEqual(["authentication"]);
});

test.each([
  ["expected_text", { type: "ping" }],
  ["min_certificate_days", { type: "tcp", tls: false }],
  ["authentication", { type: "ping" }],
  ["request_body", { type: "http", method: "GET" }],
  ["dns.expected", { type: "dns", expectNxdomain: true }],
  ["dns.record_type", { type: "dns" }],
  ["tcp", { type: "tcp" }],
  ["ip_version", { type: "heartbeat" }],
] as const)("an issue of %s, whose field is not shown, is shown above the buttons", (path, change) => {
  expect(place(path, change)).toBe(`${path}: is wrong.`);
});
