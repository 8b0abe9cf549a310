import { describe, expect, test } from "vitest";
import { whenSigned } from "@/e2e/audit/sealed/sealing";
import { anonymous } from "@/e2e/support/api";
import type { Answer } from "@/e2e/support/http";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { eventsOf, type StoredEvent, whenDelivered } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import type { AuditEvent, AuditEventWithBody } from "@/lib/audit-logs/contract";
import { idTime } from "@/lib/ids";

const server = sharedServer();

/** An organization whose log has events of every kind, and the log at that time. */
async function withHistory() {
  const organization = await newOrganization(server);
  const { admin, read, newKey } = organization;
  const elsewhere = await newKey({ ip: ["192.0.2.1"], name: "Elsewhere" });
  await admin.post("/api-keys", { name: "Made" });
  await read.get("/api-keys?limit=1");
  await read.post("/api-keys", { name: "Refused" });
  await admin.put("/api-keys/nothing", { name: "x" });
  await admin.request("PATCH", "/api-keys");
  await admin.post(`/api-keys/${elsewhere.id}/rotate`);
  await elsewhere.api.get("/api-keys", { headers: { "x-forwarded-for": "192.0.2.1" } });
  await read.get("/nowhere");
  await whenDelivered(server, organization.id);
  const events = await eventsOf(server, organization.id);
  const until = new Date(Math.max(...events.map(({ id }) => idTime(id))) + 1).toISOString();
  return { organization, events, until };
}

/** Sends requests with a new key, which has no events in the history. */
async function list(organization: Organization, path: string): Promise<Answer<AuditEvent[]>> {
  const { api } = await organization.newKey();
  return api.get<AuditEvent[]>(`/audit-logs${path}`);
}

const { organization, events, until } = await withHistory();

/** Of all pages. A page that a busy machine could not complete in time is short, and the next one continues it. */
async function idsOf(filters: string): Promise<string[]> {
  const ids: string[] = [];
  let query: string | null = filters;
  while (query !== null) {
    const page: Answer<AuditEvent[]> = await list(organization, `?${query}`);
    ids.push(...page.data.map(({ id }) => id));
    const { next_cursor, has_more } = page.pagination;
    expect(has_more).toBe(next_cursor !== null);
    query = next_cursor === null ? null : `${filters}&cursor=${next_cursor}`;
  }
  return ids;
}

const keyOf = (event: StoredEvent) => event.api_key_id === organization.readKey.id;
const middle = events[4]?.occurred_at ?? new Date();

describe("the list", () => {
  const filters: [string, (event: StoredEvent) => boolean][] = [
    ["", () => true],
    ["order=asc", () => true],
    [`id=${events[2]?.id},${events[5]?.id}`, ({ id }) => id === events[2]?.id || id === events[5]?.id],
    [`id=!${events[2]?.id}`, ({ id }) => id !== events[2]?.id],
    ["method=POST", ({ method }) => method === "POST"],
    ["method=GET,PATCH", ({ method }) => method === "GET" || method === "PATCH"],
    ["method=!GET", ({ method }) => method !== "GET"],
    ["status=403", ({ status_code }) => status_code === 403],
    ["status=4xx", ({ status_code }) => Math.floor((status_code ?? 0) / 100) === 4],
    ["status=2xx,405", ({ status_code }) => Math.floor((status_code ?? 0) / 100) === 2 || status_code === 405],
    [`api_key_id=${organization.readKey.id}`, keyOf],
    [`api_key_id=!${organization.readKey.id}`, (event) => !keyOf(event)],
    ["security_event=true", ({ is_security_event }) => is_security_event],
    ["security_event=false", ({ is_security_event }) => !is_security_event],
    ["flag=rotated_secret,method_not_allowed", ({ flags }) => /rotated_secret|method_not_allowed/.test(flags.join())],
    ["auth_type=system", ({ auth_type }) => auth_type === "system"],
    ["action=api_key.rotate", ({ action }) => action === "api_key.rotate"],
    ["error_code=NOT_FOUND", ({ error_code }) => error_code === "NOT_FOUND"],
    ["route=/api/v1/api-keys", ({ route }) => route === "/api/v1/api-keys"],
    ["path=/api/v1/api-keys/*", ({ path }) => path?.startsWith("/api/v1/api-keys/") === true],
    ["ip=192.0.2.0/24", ({ ip_address }) => ip_address === "192.0.2.1"],
    ["resource_type=api_key&method=POST", (event) => event.resource_type === "api_key" && event.method === "POST"],
    ["q=NOWHERE", ({ path }) => path === "/api/v1/nowhere"],
    [`since=${middle.toISOString()}`, ({ occurred_at }) => occurred_at >= middle],
  ];

  test.each(filters)("with %j has exactly the matching events", async (filter, fits) => {
    const expected = events.filter(fits).map(({ id }) => id);
    if (filter !== "order=asc") expected.reverse();
    expect(await idsOf(`limit=200&until=${until}&${filter}`)).toEqual(expected);
    expect(expected.length).toBeGreaterThan(0);
  });

  test("until is exclusive, since inclusive", async () => {
    const { data } = await list(organization, `?until=${middle.toISOString()}`);
    expect(data.map(({ id }) => id)).toEqual(
      events
        .filter(({ occurred_at }) => occurred_at < middle)
        .map(({ id }) => id)
        .reverse(),
    );
  });

  test.each(["asc", "desc"])("in pages is the same list, %s", async (order) => {
    const all = events.map(({ id }) => id);
    expect(await idsOf(`until=${until}&order=${order}&limit=3`)).toEqual(order === "asc" ? all : all.reverse());
  });

  test("a cursor is bound to the filters it was made with", async () => {
    const cursor = (await list(organization, "?limit=1&method=GET")).pagination.next_cursor;
    expect((await list(organization, `?limit=5&method=GET&cursor=${cursor}`)).status).toBe(200);
    for (const other of ["", "method=POST", "method=GET&order=asc", "method=GET&status=200"]) {
      const answer = await list(organization, `?cursor=${cursor}&${other}`);
      expect([answer.status, answer.error.issues?.[0]?.path]).toEqual([400, "cursor"]);
    }
  });

  test.each([
    ["limit=0", "limit"],
    ["limit=201", "limit"],
    ["since=yesterday", "since"],
    ["until=2026-13-01T00:00:00Z", "until"],
    ["status=9xx", "status"],
    ["method=get", "method"],
    ["api_key_id=me", "api_key_id"],
    ["security_event=yes", "security_event"],
    ["flag=red", "flag"],
    ["order=up", "order"],
    ["ip=10.0.0.1/8", "ip"],
    ["since=2026-02-01T00:00:00Z&until=2026-01-01T00:00:00Z", "until"],
    ["METHOD=GET", "METHOD"],
  ])("%s is refused with an issue for the parameter", async (query, path) => {
    const answer = await list(organization, `?${query}`);
    expect([answer.status, answer.error.issues?.map((issue) => issue.path)]).toEqual([400, [path]]);
  });
});

test("security events are the flagged ones, and only those", async () => {
  const { data } = await list(organization, `/security-events?limit=200&until=${until}`);
  expect(data.map(({ id }) => id)).toEqual(
    events
      .filter((event) => event.is_security_event)
      .map(({ id }) => id)
      .reverse(),
  );
  for (const event of data) expect(event.security.flags.length).toBeGreaterThan(0);
  expect((await list(organization, "/security-events?security_event=false")).status).toBe(400);
});

test("an event is found by its request id, with the fields of the list and the body", async () => {
  const sent = await organization.admin.post("/api-keys?a=%20b", '{"name": "x" }', {
    headers: { "user-agent": "curl/9" },
  });
  const { api } = await organization.newKey();
  await whenSigned(organization.id, [sent.requestId]);
  const { data } = await api.get<AuditEventWithBody>(`/audit-logs/${sent.requestId}`);
  expect(data).toEqual({
    id: sent.requestId,
    occurred_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    request: {
      method: "POST",
      path: "/api/v1/api-keys",
      route: "/api/v1/api-keys",
      query: "a=%20b",
      body: '{"name": "x" }',
      body_encoding: "utf8",
      body_size: 14,
      content_type: "application/json",
    },
    authentication: {
      organization_id: organization.id,
      type: "api_key",
      api_key: { id: organization.adminKey.id, name: "Admin", hint: organization.adminKey.hint },
      user: null,
    },
    response: {
      status_code: 400,
      response_time_ms: expect.any(Number),
      error_code: "INVALID_REQUEST",
      error_message: sent.error.message,
    },
    client: { ip_address: "127.0.0.1", user_agent: "curl/9", country: null },
    security: {
      rate_limit_remaining: Number(sent.header("x-ratelimit-remaining")),
      flags: [],
      is_security_event: false,
    },
    resource: { type: "api_key", id: null, action: "api_key.create" },
    seal: { index: expect.any(Number), epoch: 1, redaction: null },
    details: null,
  });
  const [listed] = (await list(organization, `?q=curl%2F9`)).data;
  const { body, body_encoding, ...request } = data.request ?? {};
  expect(listed).toEqual({ ...data, request });
});

test("another organization's events cannot be read in any way", async () => {
  const other = await newOrganization(server);
  const theirs = events.map(({ id }) => id);
  const [first = ""] = theirs;
  expect((await list(other, `/${first}`)).status).toBe(404);
  expect((await list(other, `/${first}`)).error.message).toBe((await list(other, `/${other.id}`)).error.message);
  for (const query of [
    "",
    "?status=403",
    `?api_key_id=${organization.readKey.id}`,
    "?security_event=true",
    "?q=nowhere",
  ]) {
    const ids = (await list(other, query)).data.map(({ id }) => id);
    expect(ids.filter((id) => theirs.includes(id))).toEqual([]);
  }
  const cursor = (await list(organization, "?limit=1")).pagination.next_cursor;
  const page = await list(other, `?limit=200&cursor=${cursor}`);
  expect(page.data.filter(({ id }) => theirs.includes(id))).toEqual([]);
});

test("events without an organization are in no organization's log", async () => {
  const answer = await anonymous(server).get("/api-keys");
  expect((await list(organization, `/${answer.requestId}`)).status).toBe(404);
});

test("reading the log is an event too, after the response", async () => {
  const { api, id } = await organization.newKey();
  const first = await api.get<AuditEvent[]>("/audit-logs?limit=200");
  expect(first.data.map((event) => event.id)).not.toContain(first.requestId);
  const { data } = await api.get<AuditEvent[]>(`/audit-logs?api_key_id=${id}`);
  expect(data.map((event) => event.id)).toEqual([first.requestId]);
});
