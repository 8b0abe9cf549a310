import { beforeAll, expect, test } from "vitest";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { whenDelivered } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const CALLER = "00f067aa0ba902b7";

const server = sharedServer();
let organization: Organization;
beforeAll(async () => {
  organization = await newOrganization(server);
});

/** The details of the event of a request with this header. */
async function detailsOf(traceparent: string): Promise<Record<string, unknown> | null> {
  const { admin } = organization;
  const answer = await admin.get("/api-keys", { headers: { traceparent } });
  expect(answer.status).toBe(200);
  await whenDelivered(server, organization.id);
  const event = await admin.get<{ details: Record<string, unknown> | null }>(`/audit-logs/${answer.requestId}`);
  return event.data.details;
}

test("a request in a trace is found by its id: by the filter and by the search", async () => {
  const { id, admin } = organization;
  const made = await admin.post(
    "/api-keys",
    { name: "Traced" },
    { headers: { traceparent: `00-${TRACE}-${CALLER}-00` } },
  );
  expect(made.status).toBe(201);
  const requestId = made.requestId;
  await whenDelivered(server, id);
  const found = await admin.get<{ id: string; details: unknown }[]>(`/audit-logs?trace_id=${TRACE}`);
  expect(found.data.map((event) => event.id)).toEqual([requestId]);
  expect(found.data[0]?.details).toMatchObject({ trace_id: TRACE, resource_name: "Traced" });
  const others = await admin.get<{ id: string }[]>(`/audit-logs?trace_id=!${TRACE}`);
  expect(others.data.map((event) => event.id)).not.toContain(requestId);
  const search = await admin.get<{ results: { type: string; id: string }[] }>(
    `/organizations/${id}/search?q=${TRACE.toUpperCase()}`,
  );
  expect(search.data.results).toMatchObject([{ type: "audit_log", id: requestId }]);
  const unknown = await admin.get<{ results: unknown[] }>(`/organizations/${id}/search?q=${TRACE.replace("4", "5")}`);
  expect(unknown.data.results).toEqual([]);
});

test("a refused request has its trace id too", async () => {
  const { read, admin } = organization;
  const traceId = TRACE.replace("4", "6");
  const refused = await read.post(
    "/api-keys",
    { name: "No" },
    { headers: { traceparent: `00-${traceId}-${CALLER}-01` } },
  );
  expect(refused.status).toBe(403);
  await whenDelivered(server, organization.id);
  const found = await admin.get<{ id: string }[]>(`/audit-logs?trace_id=${traceId}`);
  expect(found.data.map(({ id }) => id)).toEqual([refused.requestId]);
});

test("another organization finds nothing", async () => {
  const other = await newOrganization(server);
  expect((await other.admin.get<unknown[]>(`/audit-logs?trace_id=${TRACE}`)).data).toEqual([]);
});

test.each([
  ["zeros", `00-${"0".repeat(32)}-${CALLER}-01`],
  ["upper case", `00-${TRACE.toUpperCase()}-${CALLER}-01`],
  ["version ff", `ff-${TRACE}-${CALLER}-01`],
  ["a further field", `00-${TRACE}-${CALLER}-01-00`],
  ["a wrong length", `00-${TRACE}0-${CALLER}-01`],
  ["10 kB", "a".repeat(10_240)],
  ["text", "'; DROP TABLE audit_events; --"],
])("a traceparent with %s is ignored", async (_, header) => {
  expect(await detailsOf(header)).toBeNull();
});

test("of several, none is taken", async () => {
  const { admin } = organization;
  const traceparent = [`00-${TRACE}-${CALLER}-01`, `00-${TRACE.replace("4", "7")}-${CALLER}-01`];
  const answer = await admin.get("/api-keys", { headers: { traceparent } });
  await whenDelivered(server, organization.id);
  const event = await admin.get<{ details: unknown }>(`/audit-logs/${answer.requestId}`);
  expect([answer.status, event.data.details]).toEqual([200, null]);
});
