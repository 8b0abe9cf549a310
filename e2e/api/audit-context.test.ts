import { expect, test } from "vitest";
import { withKey } from "@/e2e/support/api";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { whenDelivered } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { newSession } from "@/e2e/support/session";
import { AuditEventDraft } from "@/lib/audit-logs/audit-event-draft";
import type { AuditEvent } from "@/lib/audit-logs/contract";
import { getAuditContext } from "@/lib/audit-logs/read/context";
import type { AuditContext } from "@/lib/audit-logs/read/context-contract";
import type { Entry } from "@/lib/audit-logs/read/get-contract";
import { append } from "@/lib/audit-logs/write/append";
import { pool } from "@/lib/db/app";
import { auditPool } from "@/lib/db/audit";
import { systemPrincipal } from "@/lib/http/principal";
import { idAt, newId } from "@/lib/ids";

const server = sharedServer();

async function contextOf({ admin, id: organizationId }: Organization, id: string): Promise<AuditContext> {
  await whenDelivered(server, organizationId);
  return (await admin.get<AuditContext>(`/audit-logs/${id}/context`)).data;
}
const factIn = ({ facts }: AuditContext, kind: string) => facts.find((fact) => fact.kind === kind);

test("the use of a rotated secret: who rotated it, when, and how often it was used", async () => {
  const organization = await newOrganization(server);
  const { admin, newKey } = organization;
  const key = await newKey();
  expect((await key.api.get("/api-keys")).status).toBe(200);
  const rotation = await admin.post<{ rotated_at: string }>(`/api-keys/${key.id}/rotate`);
  const [first, second] = [await key.api.get("/certificates"), await key.api.get("/certificates")];
  const context = await contextOf(organization, second.requestId);
  expect(factIn(context, "secret_rotated")).toEqual({
    kind: "secret_rotated",
    event_id: rotation.requestId,
    at: rotation.data.rotated_at,
    by: "Admin",
  });
  expect(factIn(context, "repeated")).toMatchObject({ flag: "rotated_secret", times: 2, addresses: 1 });
  expect(context.same_caller.map(({ id }) => id).slice(0, 2)).toEqual([second.requestId, first.requestId]);
  expect(context.same_address.map(({ id }) => id)).toContain(rotation.requestId);
});

test("an address is new once, and the current whitelist is shown", async () => {
  const organization = await newOrganization(server);
  const { admin, newKey } = organization;
  const key = await newKey({ ip: ["192.0.2.0/24"] });
  const from = (address: string) => withKey(server, key.secret).with({ "x-forwarded-for": address });
  const refused = await from("198.51.100.7").get("/certificates");
  const [first, second] = [await from("192.0.2.9").get("/certificates"), await from("192.0.2.9").get("/certificates")];
  expect(factIn(await contextOf(organization, first.requestId), "first_from_address")).toMatchObject({ of: "api_key" });
  expect(factIn(await contextOf(organization, second.requestId), "first_from_address")).toBeUndefined();
  const outside = async () => factIn(await contextOf(organization, refused.requestId), "outside_whitelist");
  expect(await outside()).toMatchObject({ ip_whitelist: ["192.0.2.0/24"], allowed_now: false });
  await admin.put(`/api-keys/${key.id}`, { ip_whitelist: [] });
  expect(await outside()).toMatchObject({ ip_whitelist: [], allowed_now: true });
  await admin.delete(`/api-keys/${key.id}`);
  expect(factIn(await contextOf(organization, first.requestId), "key_since")).toMatchObject({ status: "revoked" });
});

test("near the limit, slow, and from the future", async () => {
  const organization = await newOrganization(server);
  const { adminKey, id: organization_id } = organization;
  const event = (time: number, ms: number, remaining: number) =>
    new AuditEventDraft({
      organization_id,
      id: `${idAt(time).slice(0, 14)}${newId().slice(14)}`,
      ...{ method: "GET", path: "/api/v1/audit-logs", route: "/api/v1/audit-logs", action: "audit_log.list" },
      ...{ auth_type: "api_key", api_key_id: adminKey.id, api_key_name: "Admin", api_key_hint: "sw_" },
      ...{ status_code: 200, response_time_us: ms * 1000, rate_limit_remaining: remaining, ip_address: "192.0.2.1" },
    });
  const now = Date.now();
  const usual = Array.from({ length: 20 }, (_, n) => event(now - 60_000 + n, 10, 30 - n));
  const slow = event(now - 1_000, 21, 3);
  const future = event(now + 600_000, 10, 4);
  await append(
    auditPool(),
    [...usual, slow, future].map(({ row }) => ({ row, body: null })),
  );
  const context = await contextOf(organization, slow.id);
  expect(factIn(context, "slow")).toMatchObject({ compared: 20 });
  expect(factIn(context, "near_limit")).toEqual({ kind: "near_limit", remaining: 3, limit: 30, group: "audit_logs" });
  expect(factIn(context, "from_the_future")).toBeUndefined();
  const later = await contextOf(organization, future.id);
  expect(later.facts.map(({ kind }) => kind)).toEqual(["from_the_future"]);
});

test("another organization's event has no context", async () => {
  const [one, two] = [await newOrganization(server), await newOrganization(server)];
  const { requestId } = await one.admin.get("/api-keys");
  await whenDelivered(server, one.id);
  expect((await two.admin.get(`/audit-logs/${requestId}/context`)).status).toBe(404);
});

test("it reads only events that the organization may see", async () => {
  const { admin, id } = await newOrganization(server);
  const { requestId } = await admin.get("/api-keys");
  await whenDelivered(server, id);
  let asked = 0;
  const count = () => void asked++;
  pool().on("acquire", count);
  const context = await getAuditContext(systemPrincipal(id), { id: requestId });
  pool().off("acquire", count);
  expect(context.same_caller.map((event) => event.id)).toContain(requestId);
  // One query for the organization and one for the event's key; separate queries for each part of the response would be nine.
  expect(asked).toBeLessThan(5);
});

test("the context comes with the event if asked, in one request, and can leave out reads in the dashboard", async () => {
  const { api, organizationId } = await newSession(server);
  const [read, change] = [await api.get("/api-keys"), await api.post("/api-keys", { name: "Deploy" })];
  await whenDelivered(server, organizationId);
  const { data } = await api.get<Entry>(`/audit-logs/${change.requestId}?include=context&via=!dashboard_read`);
  const { context, ...event } = data;
  // It may be sealed in between.
  const { data: alone } = await api.get<Entry>(`/audit-logs/${change.requestId}`);
  expect({ ...event, seal: null }).toEqual({ ...alone, seal: null });
  const around = (of: Entry["context"]) => of?.same_caller.map(({ id }) => id);
  expect(around(context)).toContain(change.requestId);
  expect(around(context)).not.toContain(read.requestId);
  const whole = await api.get<Entry>(`/audit-logs/${change.requestId}?include=context`);
  expect(around(whole.data.context)).toEqual(expect.arrayContaining([read.requestId, change.requestId]));
  await whenDelivered(server, organizationId);
  const events = await api.get<AuditEvent[]>(`/audit-logs?path=/api/v1/audit-logs/${change.requestId}*`);
  expect(events.data).toHaveLength(3);
  const stranger = await newSession(server);
  expect((await stranger.api.get(`/audit-logs/${change.requestId}?include=context`)).status).toBe(404);
});
