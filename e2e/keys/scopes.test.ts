import { beforeAll, describe, expect, test } from "vitest";
import { withKey } from "@/e2e/support/api";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { eventById } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { makeCertificate } from "@/e2e/support/stand-ins/test-certificates";
import type { ApiKey, ApiKeyWithSecret } from "@/lib/api-keys/contract";

const server = sharedServer();
const SCOPE = "obtained_certificates";
let organization: Organization;
beforeAll(async () => {
  organization = await newOrganization(server);
});

async function newScopedKey(): Promise<ApiKeyWithSecret> {
  const body = { name: "acme-hook", permission: "admin", scope: SCOPE };
  const made = await organization.admin.post<ApiKeyWithSecret>("/api-keys", body);
  expect([made.status, made.data?.scope]).toEqual([201, SCOPE]);
  return made.data;
}

describe("a key with a scope", () => {
  test("does what it is for, and gets 403 for everything else, which is recorded", async () => {
    const { id, secret } = await newScopedKey();
    const api = withKey(server, secret);
    const { pem } = await makeCertificate({ name: "scoped.test", sans: ["scoped.test"] });
    expect((await api.post("/certificates/obtained", { pem })).status).toBe(200);
    for (const [method, path, body] of [
      ["GET", "/certificates", undefined],
      ["POST", "/certificates", { pem }],
      ["GET", "/certificates/obtained", undefined],
      ["GET", "/api-keys", undefined],
      ["PUT", `/api-keys/${id}`, { scope: null }],
      ["POST", "/api-keys", { name: "wider", permission: "admin" }],
      ["GET", "/organizations", undefined],
      ["GET", "/openapi.json", undefined],
      ["GET", "/nowhere", undefined],
    ] as const) {
      const answer = await api.request(method, path, body);
      expect([path, answer.status, answer.error.code]).toEqual([path, 403, "OUT_OF_SCOPE"]);
      const event = await eventById(server, answer.requestId);
      expect(event).toMatchObject({ api_key_id: id, flags: ["out_of_scope"], error_code: "OUT_OF_SCOPE" });
    }
    const { data } = await organization.read.get<ApiKey>(`/api-keys/${id}`);
    expect(data.scope).toBe(SCOPE);
  });

  test("gets another scope with the next request", async () => {
    const { id, secret } = await newScopedKey();
    const api = withKey(server, secret);
    expect((await api.get("/certificates")).status).toBe(403);
    const changed = await organization.admin.put<ApiKey>(`/api-keys/${id}`, { scope: null });
    expect(changed.data.scope).toBeNull();
    expect((await eventById(server, changed.requestId))?.details).toMatchObject({
      changes: [{ field: "scope", from: SCOPE, to: null }],
    });
    expect((await api.get("/certificates")).status).toBe(200);
  });

  test("needs the permission admin, also after a change", async () => {
    const { id } = await newScopedKey();
    const create = await organization.admin.post("/api-keys", { name: "reader", scope: SCOPE });
    const update = await organization.admin.put(`/api-keys/${id}`, { permission: "read" });
    for (const answer of [create, update])
      expect([answer.status, answer.error.issues?.[0]?.path]).toEqual([400, "scope"]);
    const both = await organization.admin.put<ApiKey>(`/api-keys/${id}`, { permission: "read", scope: null });
    expect(both.data).toMatchObject({ permission: "read", scope: null });
    expect((await organization.admin.post("/api-keys", { name: "x", permission: "admin", scope: "all" })).status).toBe(
      400,
    );
  });
});
