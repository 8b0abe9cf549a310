import { expect, test } from "vitest";
import { newOrganization } from "@/e2e/support/organization";
import { eventById } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { type AuditEvent, Sealwatch, SealwatchError } from "@/public/sealwatch";

const server = sharedServer();

async function newClient() {
  const { adminKey, readKey } = await newOrganization(server);
  const client = (apiKey: string, more = {}) => new Sealwatch({ url: server.url, apiKey, ...more });
  return { admin: client(adminKey.secret), read: client(readKey.secret), client, adminKey };
}

test("creates, reads, changes and revokes a key", async () => {
  const { admin } = await newClient();
  const made = await admin.call("POST /api-keys", { name: "Reader", ip_whitelist: ["192.0.2.0/24"] });
  expect(made.secret).toMatch(/^sw_/);
  const changed = await admin.call("PUT /api-keys/{id}", { id: made.id, name: "Ünï" });
  expect(changed).toMatchObject({ id: made.id, name: "Ünï", permission: "read", ip_whitelist: ["192.0.2.0/24"] });
  expect(await admin.call("GET /api-keys/{id}", { id: made.id })).toEqual(changed);
  expect((await admin.call("DELETE /api-keys/{id}", { id: made.id })).status).toBe("revoked");
});

test("reads a list to its end, and a single page of it", async () => {
  const { admin, adminKey } = await newClient();
  for (let number = 0; number < 3; number += 1) await admin.call("POST /api-keys", { name: `Key ${number}` });
  const events: AuditEvent[] = [];
  for await (const event of admin.list("GET /audit-logs", { action: ["api_key.create"], limit: 2 })) events.push(event);
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

test("streams a file", async () => {
  const { admin } = await newClient();
  const file = await admin.raw("GET /audit-logs/export", { format: "ndjson" });
  expect(file.headers.get("content-type")).toMatch(/^application\/x-ndjson/);
  const lines = (await file.text()).trimEnd().split("\n");
  expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({ export: { rows: lines.length - 1 } });
});

test("a refusal is an error with its code, its fields and the id of its event", async () => {
  const { admin, read } = await newClient();
  const invalid = await admin.call("POST /api-keys", { name: "" }).catch((error: unknown) => error as SealwatchError);
  expect(invalid).toBeInstanceOf(SealwatchError);
  expect(invalid).toMatchObject({ status: 400, code: "INVALID_REQUEST", issues: [{ path: "name" }], retryAfter: null });
  const refused = await read.call("POST /api-keys", { name: "No" }).catch((error: unknown) => error as SealwatchError);
  if (!(refused instanceof SealwatchError)) throw new Error("a read key created a key");
  expect(await eventById(server, refused.requestId ?? "")).toMatchObject({
    status_code: 403,
    flags: ["method_not_allowed"],
  });
});

test("a request over the rate limit is retried as often as configured, after retry_after", async () => {
  const { client } = await newClient();
  let refusals = 2;
  const failure = { error: { code: "RATE_LIMITED", message: "Later.", request_id: "1", retry_after: 0 } };
  const patient = async (...sent: Parameters<typeof fetch>) =>
    refusals-- > 0 ? Response.json(failure, { status: 429 }) : fetch(...sent);
  await expect(client("sw_x", { retries: 1, fetch: patient }).page("GET /api-keys")).rejects.toMatchObject({
    status: 429,
  });
  refusals = 2;
  await expect(client("sw_x", { retries: 2, fetch: patient }).page("GET /api-keys")).rejects.toMatchObject({
    code: "INVALID_API_KEY",
  });
});
