import { expect, test } from "vitest";
import { newOrganization } from "@/e2e/support/organization";
import { eventById, eventsOf, whenDelivered } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { type Schemas, Sealwatch, SealwatchError } from "@/lib/client/client";
import { newId } from "@/lib/ids";

const server = sharedServer();

async function newClient() {
  const { id, adminKey, readKey } = await newOrganization(server);
  const client = (apiKey: string, more = {}) => new Sealwatch({ url: server.url, apiKey, ...more });
  return { organizationId: id, admin: client(adminKey.secret), read: client(readKey.secret), client, adminKey };
}

const failed = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.unreachable(),
    (error: unknown) => error,
  );

test("creates, reads, changes and revokes a key, each version once", async () => {
  const { admin } = await newClient();
  const made = await admin.call("POST /api-keys", { name: "Reader", ip_whitelist: ["192.0.2.0/24"] });
  expect(made.secret).toMatch(/^sw_/);
  const { data, etag } = await admin.versioned("GET /api-keys/{id}", { id: made.id });
  expect(data).toMatchObject({ id: made.id, name: "Reader", permission: "read" });
  if (etag === null) throw new Error("a key has no ETag");
  const change = { id: made.id, name: "Ünï" };
  const changed = await admin.call("PUT /api-keys/{id}", change, { ifMatch: etag });
  expect(changed).toMatchObject({ name: "Ünï", ip_whitelist: ["192.0.2.0/24"] });
  const late = await failed(admin.call("PUT /api-keys/{id}", { ...change, name: "Late" }, { ifMatch: etag }));
  expect(late).toMatchObject({ status: 412, code: "PRECONDITION_FAILED" });
  expect(await admin.call("GET /api-keys/{id}", { id: made.id })).toEqual(changed);
  expect((await admin.call("DELETE /api-keys/{id}", { id: made.id })).status).toBe("revoked");
});

test("a POST whose answer is lost is carried out once", async () => {
  const { client, adminKey, organizationId } = await newClient();
  let lost = 0;
  const lossy = async (...sent: Parameters<typeof fetch>) => {
    const response = await fetch(...sent);
    if (lost++ > 0) return response;
    await response.body?.cancel();
    throw new TypeError("fetch failed");
  };
  const made = await client(adminKey.secret, { fetch: lossy }).call("POST /api-keys", { name: "Once" });
  expect(lost).toBe(2);
  expect(made).toMatchObject({ name: "Once", secret_withheld: true });
  await whenDelivered(server, organizationId);
  const created = (await eventsOf(server, organizationId)).filter(({ flags }) => flags.includes("key_created"));
  expect(created.filter(({ resource_id }) => resource_id === made.id)).toHaveLength(1);
});

test("a channel's settings have the type of the channel", async () => {
  const { admin } = await newClient();
  const channel = await admin.call("POST /notification-channels", {
    type: "webhook",
    name: "Hook",
    settings: { url: "https://hooks.example.com/x" },
  });
  if (channel.type !== "webhook") throw new Error(`the channel is of the type ${channel.type}`);
  expect(channel.settings.url).toBe("https://hooks.example.com/x");
});

test("reads a list to its end, and a single page of it", async () => {
  const { admin, adminKey, organizationId } = await newClient();
  for (let number = 0; number < 3; number += 1) await admin.call("POST /api-keys", { name: `Key ${number}` });
  await whenDelivered(server, organizationId);
  const events: Schemas["AuditEvent"][] = [];
  const filters = { action: ["api_key.create" as const], limit: 2 };
  for await (const event of admin.list("GET /audit-logs", filters)) events.push(event);
  expect(events.map(({ request, resource }) => [request?.method ?? null, resource.type])).toEqual([
    ...Array.from({ length: 3 }, () => ["POST", "api_key"]),
    [null, "api_key"],
    [null, "api_key"],
  ]);
  const page = await admin.page("GET /audit-logs", { api_key_id: adminKey.id, limit: 2, order: "asc" });
  expect(page.data.map(({ id }) => id)).toEqual(
    events
      .slice(1, 3)
      .reverse()
      .map(({ id }) => id),
  );
  expect(page.pagination.has_more).toBe(true);
});

test("receives events as they happen, from one that it had", async () => {
  const { admin, read, organizationId } = await newClient();
  const before = await admin.call("POST /api-keys", { name: "Before" });
  await whenDelivered(server, organizationId);
  const [first] = (await admin.page("GET /audit-logs", { resource_id: before.id, action: ["api_key.create"] })).data;
  const after = await admin.call("POST /api-keys", { name: "After" });
  const seen: unknown[] = [];
  for await (const event of read.events({ action: ["api_key.create"] }, { lastEventId: first?.id ?? newId() })) {
    if (event.type !== "audit_event") continue;
    seen.push(event.data.resource.id);
    break;
  }
  expect(seen).toEqual([after.id]);
});

test("streams a file", async () => {
  const { admin } = await newClient();
  const file = await admin.raw("GET /audit-logs/export", { format: "ndjson" });
  expect(file.headers.get("content-type")).toMatch(/^application\/x-ndjson/);
  const lines = (await file.text()).trimEnd().split("\n");
  expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({ export: { rows: lines.length - 1 } });
});

test("a refusal is an error with its code, its fields and the id of its event", async () => {
  const { admin, read } = await newClient();
  const invalid = await failed(admin.call("POST /api-keys", { name: "" }));
  expect(invalid).toBeInstanceOf(SealwatchError);
  expect(invalid).toMatchObject({ status: 400, code: "INVALID_REQUEST", field: "name", retryAfter: null });
  const refused = await failed(read.call("POST /api-keys", { name: "No" }));
  if (!(refused instanceof SealwatchError)) throw new Error("a read key created a key");
  expect(await eventById(server, refused.requestId ?? "")).toMatchObject({
    status_code: 403,
    flags: ["method_not_allowed"],
  });
});
