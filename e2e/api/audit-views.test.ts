import { expect, test } from "vitest";
import { newOrganization } from "@/e2e/support/organization";
import { eventById, query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { newSession } from "@/e2e/support/session";
import type { AuditView } from "@/lib/audit-views/contract";

const server = sharedServer();
const PATH = "/audit-logs/views";
const names = ({ data }: { data: AuditView[] }) => data.map(({ name }) => name);

test("a view is saved, changed and deleted, each with an event", async () => {
  const { admin, adminKey } = await newOrganization(server);
  const query = { status: "4xx,!404", range: "7d", columns: "time,path", q: "É" };
  const made = await admin.post<AuditView>(PATH, { name: " Refused ", query });
  expect(made.status).toBe(201);
  expect(made.header("location")).toBe(`/api/v1${PATH}/${made.data.id}`);
  expect(made.data).toEqual({
    id: expect.any(String),
    name: "Refused",
    scope: "personal",
    query,
    created_at: expect.any(String),
    created_by: { type: "api_key", id: adminKey.id, name: "Admin" },
    updated_at: made.data.created_at,
    weekly_email: false,
  });
  expect(await eventById(server, made.requestId)).toMatchObject({
    action: "audit_view.create",
    resource_type: "audit_view",
    resource_id: made.data.id,
    flags: [],
  });
  const changed = await admin.put<AuditView>(`${PATH}/${made.data.id}`, { query: { status: "5xx" } });
  expect(changed.data).toMatchObject({ name: "Refused", query: { status: "5xx" } });
  expect((await admin.get<AuditView>(`${PATH}/${made.data.id}`)).data).toEqual(changed.data);
  expect((await admin.delete<AuditView>(`${PATH}/${made.data.id}`)).data).toEqual(changed.data);
  expect((await admin.delete(`${PATH}/${made.data.id}`)).status).toBe(404);
});

test("personal views are visible only to their owner, the organization's to all members", async () => {
  const { admin, read, newKey } = await newOrganization(server);
  const other = (await newKey({ permission: "admin" })).api;
  const own = (await admin.post<AuditView>(PATH, { name: "Own", query: {} })).data;
  const shared = (await admin.post<AuditView>(PATH, { name: "Shared", scope: "organization", query: {} })).data;
  expect(names(await admin.get<AuditView[]>(PATH))).toEqual(["Shared", "Own"]);
  for (const api of [other, read]) {
    expect(names(await api.get<AuditView[]>(PATH))).toEqual(["Shared"]);
    expect((await api.get(`${PATH}/${own.id}`)).status).toBe(404);
  }
  expect((await other.put(`${PATH}/${own.id}`, { name: "Mine" })).status).toBe(404);
  expect((await other.delete(`${PATH}/${own.id}`)).status).toBe(404);
  expect((await read.post(PATH, { name: "New", query: {} })).status).toBe(403);
  expect((await other.put<AuditView>(`${PATH}/${shared.id}`, { scope: "personal" })).data.scope).toBe("personal");
  expect(names(await admin.get<AuditView[]>(PATH))).toEqual(["Own"]);
});

test("a person's views follow them, not their session, and stay within the organization", async () => {
  const [person, stranger] = [await newSession(server), await newSession(server)];
  const { id } = (await person.api.post<AuditView>(PATH, { name: "Shared", scope: "organization", query: {} })).data;
  expect((await stranger.api.get(`${PATH}/${id}`)).status).toBe(404);
  expect(names(await stranger.api.get<AuditView[]>(PATH))).toEqual([]);
});

test("a name is unique for each owner", async () => {
  const { admin, newKey } = await newOrganization(server);
  const other = (await newKey({ permission: "admin" })).api;
  const save = (api: typeof admin, scope: string) => api.post<AuditView>(PATH, { name: "Same", scope, query: {} });
  expect((await save(admin, "personal")).status).toBe(201);
  expect((await save(admin, "organization")).status).toBe(201);
  const { id } = (await save(other, "personal")).data;
  expect((await save(admin, "personal")).error).toMatchObject({ code: "CONFLICT" });
  expect((await other.put(`${PATH}/${id}`, { scope: "organization" })).status).toBe(409);
});

test("an owner can have 200 views, created or given another scope", async () => {
  const { id, admin, adminKey } = await newOrganization(server);
  const fill = `INSERT INTO audit_views
    (organization_id, id, owner_id, name, query, created_at, created_by_type, created_by_name, updated_at)
    SELECT $1, gen_random_uuid(), $2, 'View ' || n, '{}', now(), 'api_key', 'Admin', now() FROM generate_series(1, 199) AS n`;
  for (const owner of [id, adminKey.id]) await query(server, "app", fill, [id, owner]);
  const save = (name: string, scope: string) => admin.post<AuditView>(PATH, { name, scope, query: {} });
  for (const scope of ["organization", "personal"]) {
    const last = await save("The last", scope);
    expect(last.status).toBe(201);
    const refused = await save("One more", scope);
    expect([refused.status, refused.error.code]).toEqual([409, "CONFLICT"]);
    expect((await admin.put(`${PATH}/${last.data.id}`, { scope, name: "Kept" })).status).toBe(200);
    if (scope === "organization") continue;
    const moved = await admin.put(`${PATH}/${last.data.id}`, { scope: "organization" });
    expect(moved.error).toMatchObject({
      code: "CONFLICT",
      message: "An organization can have at most 200 shared views.",
    });
  }
});

test.each([
  [{ query: {} }, "name"],
  [{ name: "x" }, "query"],
  [{ name: "x", query: { colour: "red" } }, "query.colour"],
  [{ name: "x", query: { status: "teapot" } }, "query.status"],
  [{ name: "x", query: { range: "1y" } }, "query.range"],
  [{ name: "x", query: { columns: "time,time" } }, "query.columns"],
  [{ name: "x", query: { range: "1h", since: "2026-01-01T00:00:00Z" } }, "query.range"],
  [{ name: "x", query: { since: "2026-01-02T00:00:00Z", until: "2026-01-01T00:00:00Z" } }, "query.until"],
  [{ name: "x", scope: "world", query: {} }, "scope"],
])("refuses %j", async (body, path) => {
  const { admin } = await newOrganization(server);
  const { status, error } = await admin.post(PATH, body);
  expect(status).toBe(400);
  expect(error?.issues?.map((issue) => issue.path)).toContain(path);
});
