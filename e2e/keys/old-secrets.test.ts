import { expect, test } from "vitest";
import { withKey } from "@/e2e/support/api";
import { newOrganization } from "@/e2e/support/organization";
import { query, whenDelivered } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { MAX_ATTEMPTS, type OldSecretUse } from "@/lib/api-keys/old-secrets/contract";
import type { AuditEvent } from "@/lib/audit-logs/contract";

const server = sharedServer();
const [OFFICE, THIEF, OTHER_THIEF] = ["192.0.2.10", "203.0.113.7", "203.0.113.99"] as const;

/** An organization with a key whose secret was used from the office and then replaced. */
async function newLeak() {
  const organization = await newOrganization(server);
  const { admin, newKey } = organization;
  const key = await newKey({ name: "ci-deploy" });
  const tryFrom = (address: string, agent = "curl/8.11.0") =>
    withKey(server, key.secret).with({ "x-forwarded-for": address, "user-agent": agent }).get("/certificates");
  expect((await tryFrom(OFFICE)).status).toBe(200);
  const { data: rotated } = await admin.post<{ rotated_at: string }>(`/api-keys/${key.id}/rotate`);
  const read = async ({ id }: { id: string } = key) => {
    await whenDelivered(server, organization.id);
    return (await admin.get<OldSecretUse>(`/api-keys/${id}/old-secrets`)).data;
  };
  const handle = (body: object) => admin.post<OldSecretUse>(`/api-keys/${key.id}/old-secrets/handle`, body);
  return { ...organization, key, rotated, tryFrom, read, handle };
}

test("attempts with an old secret are distinguished by whether the address used the key before", async () => {
  const { key, rotated, tryFrom, read, admin } = await newLeak();
  expect(await read()).toMatchObject({ state: "none", attempts: 0, addresses: [], first_attempt_at: null });
  for (const address of [OFFICE, OFFICE, THIEF]) expect((await tryFrom(address)).status).toBe(401);
  await tryFrom(THIEF, "python-httpx/0.27.2");
  const use = await read();
  expect(use).toMatchObject({
    state: "open",
    attempts: 4,
    has_earlier: false,
    secrets: [{ hint: key.hint, retired_at: rotated.rotated_at, attempts: 4 }],
    stranger_count: 1,
    address_count: 2,
    addresses: [
      {
        ...{ ip_address: THIEF, standing: "unknown", known_since: null, attempts: 2, is_new: true, is_blocked: false },
        user_agents: ["curl/8.11.0", "python-httpx/0.27.2"],
      },
      { ip_address: OFFICE, standing: "known", attempts: 2, is_new: false },
    ],
    requests: [{ method: "GET", path: "/api/v1/certificates", attempts: 4, by_strangers: 2 }],
    handled: null,
  });
  expect(use.addresses[1]?.known_since).not.toBeNull();
  expect(use.series.reduce((sum, { by_strangers }) => sum + by_strangers, 0)).toBe(2);

  await admin.put(`/api-keys/${key.id}`, { ip_whitelist: [OFFICE] });
  expect((await tryFrom(THIEF)).error.code).toBe("IP_NOT_ALLOWED");
  expect(await read()).toMatchObject({
    attempts: 5,
    addresses: [
      { ip_address: THIEF, is_blocked: true },
      { ip_address: OFFICE, is_blocked: false },
    ],
  });
});

test("handled with a note, until a new unrecognized address tries", async () => {
  const { id, key, tryFrom, read, handle, admin, adminKey } = await newLeak();
  await tryFrom(THIEF);
  const seen = await read();
  const handled = await handle({ note: "Reported to the provider.", until: seen.until });
  expect(handled.data).toMatchObject({
    state: "handled",
    handled: { by: { type: "api_key", id: adminKey.id, name: "Admin" }, note: "Reported to the provider." },
    addresses: [{ ip_address: THIEF, is_new: false }],
  });
  await whenDelivered(server, id);
  const { data: event } = await admin.get<AuditEvent>(`/audit-logs/${handled.requestId}`);
  expect(event.resource).toEqual({ type: "api_key", id: key.id, action: "api_key.handle_old_secrets" });

  await tryFrom(THIEF);
  await tryFrom(OFFICE);
  expect(await read()).toMatchObject({ state: "handled", attempts: 3 });
  await tryFrom(OTHER_THIEF);
  const reopened = await read();
  expect(reopened).toMatchObject({ state: "open", handled: { note: "Reported to the provider." } });
  expect(reopened.addresses.map(({ ip_address, is_new }) => [ip_address, is_new])).toContainEqual([OTHER_THIEF, true]);
  // Who handles what they saw before the newest stranger came leaves the case open.
  expect((await handle({ until: seen.until })).data.state).toBe("open");
  expect((await handle({})).data).toMatchObject({ state: "handled", handled: { note: null } });
  const rows = await query(server, "app", "SELECT 1 FROM old_secrets_handlings WHERE organization_id = $1", [id]);
  expect(rows).toHaveLength(1);
});

test("a revoked key's attempts count from its revocation; the key's own organization alone sees them", async () => {
  const { key, admin, read, tryFrom, handle } = await newLeak();
  const other = await newOrganization(server);
  const { data: fresh } = await admin.post<{ id: string; secret: string }>("/api-keys", { name: "contractor" });
  const use = () => withKey(server, fresh.secret).with({ "x-forwarded-for": OFFICE }).get("/certificates");
  expect((await use()).status).toBe(200);
  await admin.delete(`/api-keys/${fresh.id}`);
  expect((await use()).status).toBe(401);
  await tryFrom(THIEF);
  expect(await read(fresh)).toMatchObject({
    attempts: 1,
    secrets: [{ retired_at: null }],
    addresses: [{ ip_address: OFFICE, standing: "known" }],
  });

  expect((await other.admin.get(`/api-keys/${key.id}/old-secrets`)).status).toBe(404);
  expect((await other.admin.post(`/api-keys/${key.id}/old-secrets/handle`, {})).status).toBe(404);
  expect((await read()).state).toBe("open");
  expect((await handle({ note: "x".repeat(1001) })).error.issues).toMatchObject([{ path: "note" }]);
});

test("a busy client's refusals with the current secret do not hide an attempt", async () => {
  const { id, tryFrom, read } = await newLeak();
  await tryFrom(THIEF);
  await whenDelivered(server, id);
  const busy = await query(
    server,
    "audit",
    `INSERT INTO audit_events (organization_id, retention_days, id, occurred_at, method, path, status_code, auth_type, api_key_id,
       api_key_hint, ip_address, flags, is_security_event, tokens)
     SELECT organization_id, retention_days, (left(id::text, 24) || lpad(to_hex(n), 12, '0'))::uuid, occurred_at, method, path, 429,
       auth_type, api_key_id, 'sw_current', ip_address, ARRAY[flag], true, array_replace(tokens, 'f:rotated_secret', 'f:' || flag)
     FROM audit_events, generate_series(1, $2::integer) AS n,
       LATERAL (SELECT CASE n % 2 WHEN 0 THEN 'rate_limited' ELSE 'ip_not_allowed' END AS flag) AS refused
     WHERE organization_id = $1 AND 'rotated_secret' = ANY (flags) RETURNING 1`,
    [id, MAX_ATTEMPTS + 1],
  );
  expect(busy).toHaveLength(MAX_ATTEMPTS + 1);
  expect(await read()).toMatchObject({ state: "open", attempts: 1, has_earlier: false, stranger_count: 1 });
});

test("refusals of a secret that was current at the time are no attempts with an old one", async () => {
  const { key, admin, read } = await newLeak();
  await admin.put(`/api-keys/${key.id}`, { ip_whitelist: [OFFICE] });
  const current = (await admin.post<{ secret: string }>(`/api-keys/${key.id}/rotate`)).data.secret;
  const refused = async (secret: string) => {
    const answer = await withKey(server, secret).with({ "x-forwarded-for": THIEF }).get("/certificates");
    expect(answer.error.code).toBe("IP_NOT_ALLOWED");
  };
  await refused(current);
  const last = (await admin.post<{ secret: string; hint: string }>(`/api-keys/${key.id}/rotate`)).data;
  expect(await read()).toMatchObject({ state: "none", attempts: 0 });
  await refused(current);
  expect(await read()).toMatchObject({ state: "open", attempts: 1 });
  await refused(last.secret);
  await admin.delete(`/api-keys/${key.id}`);
  await refused(last.secret);
  const { attempts, secrets } = await read();
  expect(attempts).toBe(2);
  expect(secrets).toContainEqual({ hint: last.hint, retired_at: null, attempts: 1 });
});
