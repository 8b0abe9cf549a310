import { expect, test } from "vitest";
import { newOrganization } from "@/e2e/support/organization";
import { eventById, query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { until } from "@/e2e/support/until";
import { createApiKey } from "@/lib/api-keys/create";
import { AuditEventDraft } from "@/lib/audit-logs/audit-event-draft";
import { withAuditEvent } from "@/lib/audit-logs/write/commit-event";
import { enqueueOutbox } from "@/lib/audit-logs/write/outbox";
import { systemPrincipal } from "@/lib/http/principal";

const server = sharedServer();

const inOutbox = async (id: string) =>
  (await query(server, "app", "SELECT FROM audit_outbox WHERE id = $1", [id])).length > 0;

test("the row of a change whose request takes minutes is left to the process that wrote it", async () => {
  const { id: organizationId } = await newOrganization(server);
  const principal = systemPrincipal(organizationId);
  const id = await withAuditEvent({ action: "api_key.create", principal }, async (event) => {
    const input = { name: "Slow", permission: "read" as const, scope: null, ip_whitelist: [], expires_at: null };
    await createApiKey(principal, input);
    await query(server, "app", "UPDATE audit_outbox SET created_at = now() - interval '10 minutes' WHERE id = $1", [
      event.id,
    ]);
    // A newer complete event: once it is delivered, the older row was considered too.
    const other = new AuditEventDraft({ organization_id: organizationId });
    await enqueueOutbox([{ row: other.row, body: null }]);
    await until("the worker has delivered what is due", async () => !(await inOutbox(other.id)));
    expect(await inOutbox(event.id)).toBe(true);
    return event.id;
  });
  expect(await eventById(server, id)).toMatchObject({ action: "api_key.create", flags: ["key_created"] });
  await until("its row is completed", async () => !(await inOutbox(id)));
});

test.each([
  ["every byte", Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))],
  ["10 MiB", Buffer.alloc(10 * 1024 * 1024, "é")],
  ["none", null],
])("the row of a change has the body of its request as sent: %s", async (_, body) => {
  const { id: organizationId } = await newOrganization(server);
  const principal = systemPrincipal(organizationId);
  const id = await withAuditEvent({ action: "api_key.create", principal }, async (event) => {
    event.body = body;
    await createApiKey(principal, { name: "x", permission: "read", scope: null, ip_whitelist: [], expires_at: null });
    const rows = await query(server, "app", "SELECT body FROM audit_outbox WHERE id = $1", [event.id]);
    expect(rows).toHaveLength(1);
    expect(Buffer.compare((rows[0]?.body as Buffer | null) ?? Buffer.alloc(0), body ?? Buffer.alloc(0))).toBe(0);
    expect(rows[0]?.body === null).toBe(body === null);
    return event.id;
  });
  await until("its row is completed", async () => !(await inOutbox(id)));
});
