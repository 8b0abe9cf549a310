import { beforeAll, describe, expect, test } from "vitest";
import { type Key, newOrganization, type Organization } from "@/e2e/support/organization";
import { eventById, query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { until } from "@/e2e/support/until";
import type { ApiKey, ApiKeyWithSecret } from "@/lib/api-keys/contract";
import { newId } from "@/lib/ids";
import { DAY_MS } from "@/lib/time/units";

const server = sharedServer();
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

let organization: Organization;
let expiring: Key;
let expiresAt: string;
beforeAll(async () => {
  organization = await newOrganization(server);
  expiresAt = inDays(7);
  expiring = await organization.newKey({ permission: "admin", expiresAt: new Date(expiresAt) });
});

describe("a key that expires", () => {
  const refusal = { code: "INVALID_REQUEST", issues: [{ path: "expires_at" }] };

  test.each([
    ["never expires", () => ({ expires_at: null })],
    ["does not say", () => ({})],
    ["expires later", () => ({ expires_at: inDays(8) })],
  ])("creates no key that %s", async (_, more) => {
    const refused = await expiring.api.post("/api-keys", { name: "x", ...more() });
    expect([refused.status, refused.error]).toMatchObject([400, refusal]);
  });

  test("creates a key that expires with it", async () => {
    const made = await expiring.api.post<ApiKeyWithSecret>("/api-keys", { name: "x", expires_at: expiresAt });
    expect(made.data.expires_at).toBe(expiresAt);
  });

  test("cannot extend itself or another key", async () => {
    const other = await organization.newKey({ expiresAt: new Date(inDays(1)) });
    for (const { id } of [expiring, other]) {
      for (const expires_at of [null, inDays(8)]) {
        const refused = await expiring.api.put(`/api-keys/${id}`, { expires_at });
        expect([refused.status, refused.error]).toMatchObject([400, refusal]);
      }
    }
    expect((await expiring.api.get<ApiKey>(`/api-keys/${expiring.id}`)).data.expires_at).toBe(expiresAt);
    expect((await expiring.api.put(`/api-keys/${other.id}`, { expires_at: expiresAt })).status).toBe(200);
  });

  test("cannot rotate or change a key that outlives it", async () => {
    const lasting = await organization.newKey({ permission: "read" });
    const answers = [
      await expiring.api.post(`/api-keys/${lasting.id}/rotate`),
      await expiring.api.put(`/api-keys/${lasting.id}`, { permission: "admin" }),
    ];
    for (const { status, error } of answers) expect([status, error]).toMatchObject([400, refusal]);
    expect((await lasting.api.get("/api-keys")).status).toBe(200);
    expect((await expiring.api.delete(`/api-keys/${lasting.id}`)).status).toBe(200);
  });

  test("creates no address and no destination that outlives it", async () => {
    const { admin } = organization;
    const settings = { url: "http://127.0.0.1:1/" };
    const place = { type: "https", name: "Archive", settings };
    const { data: made, text } = await admin.post<{ id: string }>("/audit-logs/destinations", place);
    const refused = [
      await expiring.api.post("/certificates/calendars", { name: "Mine" }),
      await expiring.api.post("/audit-logs/destinations", { ...place, name: "Mine" }),
      await expiring.api.put(`/audit-logs/destinations/${made.id}`, { settings: { url: "http://127.0.0.1:2/" } }),
    ];
    const message = expect.stringContaining(`The key of this request expires at ${expiresAt}, and the `);
    for (const { status, error } of refused)
      expect([status, error], text).toMatchObject([403, { code: "METHOD_NOT_ALLOWED", message }]);
    const event = await eventById(server, refused[0]?.requestId ?? "");
    expect(event.flags).toContain("method_not_allowed");
    const lists = ["/certificates/calendars", "/audit-logs/destinations"];
    const names = await Promise.all(lists.map((list) => admin.get<{ name: string }[]>(list)));
    expect(names.map(({ data }) => data.map(({ name }) => name))).toEqual([[], ["Archive"]]);
    expect((await expiring.api.put(`/audit-logs/destinations/${made.id}`, { name: "Cellar" })).status).toBe(200);
    expect((await admin.post("/certificates/calendars", { name: "Ours" })).status).toBe(201);
  });

  test("replaces no signing secret and no URL of a heartbeat, which would outlive it", async () => {
    const { admin } = organization;
    const make = async (path: string, body: object) => (await admin.post<{ id: string }>(path, body)).data.id;
    const settings = { url: "http://127.0.0.1:1/" };
    const heartbeat = await make("/uptime", { name: "Backup", type: "heartbeat" });
    const rotations = [
      `/uptime/${heartbeat}/rotate-url`,
      `/audit-logs/destinations/${await make("/audit-logs/destinations", { type: "https", name: "Signed", settings })}/rotate-secret`,
      `/notification-channels/${await make("/notification-channels", { type: "webhook", name: "Hook", settings })}/rotate-secret`,
    ];
    const message = expect.stringContaining(`The key of this request expires at ${expiresAt}, and the `);
    const issued = () => query(server, "app", "SELECT * FROM uptime_heartbeats WHERE monitor_id = $1", [heartbeat]);
    const before = await issued();
    for (const rotation of rotations) {
      const { status, error, requestId } = await expiring.api.post(rotation);
      expect([status, error]).toMatchObject([403, { code: "METHOD_NOT_ALLOWED", message }]);
      expect((await eventById(server, requestId)).flags).toContain("method_not_allowed");
    }
    expect(await issued()).toEqual(before);
    for (const rotation of rotations) expect((await admin.post(rotation)).status).toBe(200);
    expect((await expiring.api.post("/uptime", { name: "Job", type: "heartbeat" })).status).toBe(201);
  });

  test("rotates itself, and keeps its expiration", async () => {
    const own = await organization.newKey({ permission: "admin", expiresAt: new Date(expiresAt) });
    const rotated = await own.api.post<ApiKeyWithSecret>(`/api-keys/${own.id}/rotate`);
    expect(rotated.data.expires_at).toBe(expiresAt);
  });

  test("is returned again for a repeated request, also after it has expired", async () => {
    const { admin } = organization;
    const headers = { "idempotency-key": newId() };
    const { body, made } = await until("a key that expires shortly was created", async () => {
      const body = { name: "x", expires_at: new Date(Date.now() + 2_000).toISOString() };
      const made = await admin.post<ApiKeyWithSecret>("/api-keys", body, { headers });
      return made.status === 201 && { body, made };
    });
    await until("it has expired", () => Date.now() > Date.parse(body.expires_at));
    const again = await admin.post<ApiKeyWithSecret>("/api-keys", body, { headers });
    expect([again.status, again.header("idempotent-replayed"), again.data.id]).toEqual([201, "true", made.data.id]);
    const late = await admin.post("/api-keys", body);
    expect([late.status, late.error]).toMatchObject([400, refusal]);
  });

  test("does not restrict keys that never expire", async () => {
    const changed = await organization.admin.put<ApiKey>(`/api-keys/${expiring.id}`, { expires_at: null });
    expect(changed.data.expires_at).toBeNull();
  });
});
