import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { bind, newOrganization, type Organization } from "@/e2e/support/organization";
import { eventById, query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { type DatabaseProxy, startDatabaseProxy } from "@/e2e/support/stand-ins/database-proxy";
import { until } from "@/e2e/support/until";
import { createApiKey } from "@/lib/api-keys/create";
import type { AuditEventDraft } from "@/lib/audit-logs/audit-event-draft";
import { withAuditEvent } from "@/lib/audit-logs/write/commit-event";
import { configure } from "@/lib/config";
import { isUnavailable } from "@/lib/db/unavailable";
import { systemPrincipal } from "@/lib/http/principal";
import { newId } from "@/lib/ids";
import { createOrganizationAsOperator } from "@/lib/organizations/create";

const server = sharedServer();
let [monitoring, audit]: DatabaseProxy[] = [];
let organization: Organization;

beforeAll(async () => {
  bind(server);
  monitoring = await startDatabaseProxy(server.urls.DATABASE_URL);
  audit = await startDatabaseProxy(server.urls.AUDIT_DATABASE_URL);
  configure({ DATABASE_URL: monitoring.url, AUDIT_DATABASE_URL: audit.url });
  organization = await newOrganization(server);
});
afterEach(() => {
  monitoring?.restore();
  audit?.restore();
});
afterAll(() => {
  monitoring?.close();
  audit?.close();
});

const keysNamed = (name: string) => query(server, "app", "SELECT FROM api_keys WHERE name = $1", [name]);

/** Creates an API key whose commit is not answered. Returns the id of the event, when the caller was told that it failed. */
async function createUnanswered(name: string, when: "before" | "after"): Promise<string> {
  const principal = systemPrincipal(organization.id);
  let id = "";
  const created = withAuditEvent({ action: "api_key.create", principal }, async (event) => {
    id = event.id;
    monitoring?.cutNextCommit(when);
    await createApiKey(principal, { name, permission: "read", scope: null, ip_whitelist: [], expires_at: null });
  });
  const error = await created.catch((failure: unknown) => failure);
  expect(isUnavailable(error), String(error)).toBe(true);
  return id;
}

const changed = {
  ...{ action: "api_key.create", error_code: "UNAVAILABLE", flags: ["key_created"], resource_type: "api_key" },
  details: expect.objectContaining({ change_committed: true, changes: expect.arrayContaining([expect.anything()]) }),
};

async function isRowGone(id: string): Promise<void> {
  const row = "SELECT FROM audit_outbox WHERE id = $1";
  await until("nothing is left in the outbox", async () => (await query(server, "app", row, [id])).length === 0);
}

test("the event of a change whose commit was not answered says what changed, and that it stands", async () => {
  const name = newId();
  const id = await createUnanswered(name, "after");
  expect(await keysNamed(name)).toHaveLength(1);
  const event = await eventById(server, id);
  expect(event).toMatchObject({ ...changed, organization_id: organization.id });
  expect(event.details).toMatchObject({ resource_name: name });
  await isRowGone(id);
});

test("the event of a change that was not committed says nothing of it", async () => {
  const name = newId();
  const id = await createUnanswered(name, "before");
  expect(await keysNamed(name)).toHaveLength(0);
  expect(await eventById(server, id)).toMatchObject({ error_code: "UNAVAILABLE", flags: [], details: null });
  await isRowGone(id);
});

test("it says what changed if the audit database is unavailable at that moment", async () => {
  audit?.goDown();
  const id = await createUnanswered(newId(), "after");
  // Delivered by the worker, whose connections do not break.
  expect(await eventById(server, id)).toMatchObject(changed);
  await isRowGone(id);
});

test("it says what changed if the monitoring database stays unavailable", async () => {
  const name = newId();
  monitoring?.goDown({ atNextCut: true });
  const id = await createUnanswered(name, "after");
  expect(await keysNamed(name)).toHaveLength(1);
  monitoring?.restore();
  // If this takes seconds, the worker delivers it as interrupted.
  const { flags, details } = await eventById(server, id);
  expect(flags).toContain("key_created");
  expect(details).toMatchObject({ resource_name: name });
  await isRowGone(id);
});

test("an event that the worker has stored in the log of a new organization is in no other", async () => {
  monitoring?.goDown({ atNextCut: true });
  const name = newId();
  let unanswered: AuditEventDraft | undefined;
  const created = withAuditEvent({ action: "organization.create" }, async (event) => {
    unanswered = event;
    monitoring?.cutNextCommit("after");
    await createOrganizationAsOperator(name);
  });
  await expect(created).rejects.toThrow();
  if (unanswered === undefined) throw new Error("there is no event");
  const { id } = unanswered;
  const { organization_id, flags } = await eventById(server, id);
  expect(flags).toContain("interrupted");
  monitoring?.restore();
  // The attempts to store the event go on in this process.
  await until("the outcome is known", () => unanswered?.unansweredIn === null);
  await isRowGone(id);
  const logs = await query(server, "audit", "SELECT organization_id FROM audit_events WHERE id = $1", [id]);
  expect(logs).toEqual([{ organization_id }]);
  expect(await query(server, "app", "SELECT id FROM organizations WHERE name = $1", [name])).toEqual([
    { id: organization_id },
  ]);
});
