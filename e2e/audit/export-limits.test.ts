import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { newSession, type SignedIn } from "@/e2e/support/session";
import { until } from "@/e2e/support/until";
import { auditEvent } from "@/lib/audit-logs/audit-event-draft";
import { exportFile } from "@/lib/audit-logs/read/export-file";
import { withAuditEvent } from "@/lib/audit-logs/write/commit-event";
import { findSession } from "@/lib/auth/find-session";
import { type Principal, systemPrincipal } from "@/lib/http/principal";
import type { Organization } from "@/lib/organizations/contract";
import { removeMemberByEmail, setMember } from "@/lib/organizations/set-member";
import { HOUR_MS } from "@/lib/time/units";

const server = sharedServer();

/** Starts an export in this process that never comes to an end. It ends with the test. */
async function startExport(principal: Principal, block = Buffer.from("{}\n")) {
  const source = { rows: 0, next: () => nextTurn(block), end: async () => {} };
  let id = "";
  const { body } = await withAuditEvent({ action: "organization.export", principal }, () => {
    id = auditEvent().id;
    return exportFile(principal, { source, format: "ndjson", header: "" }, "organization", (finished) => {
      finished.action = "organization.export_finished";
    });
  });
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  onTestFinished(() => reader.cancel().catch(() => {}));
  return { id, reader };
}

/** Starts an export that never comes to an end, and reads it until the test is finished or the export ends. */
async function endlessExport(principal: Principal) {
  const { id, reader } = await startExport(principal);
  const read = async (): Promise<string> => ((await reader.read()).done ? "it was complete" : read());
  return { id, end: read().catch((error: Error) => error.message) };
}

async function expectIncomplete(id: string): Promise<void> {
  const details = await until("the end of the export is on record", async () => {
    const text = "SELECT details FROM audit_events WHERE action = 'organization.export_finished' AND resource_id = $1";
    return (await query<{ details: unknown }>(server, "audit", text, [id]))[0]?.details;
  });
  expect(details).toMatchObject({ complete: false });
}

/** Another organization that the person creates. */
async function another({ api }: SignedIn): Promise<Principal> {
  return systemPrincipal((await api.post<Organization>("/organizations", { name: "Another" })).data.id);
}

test("an export counts as use of its session, and ends when the person is no longer a member", async () => {
  const [host, guest] = await Promise.all([newSession(server), newSession(server)]);
  const operator = systemPrincipal(host.organizationId);
  await withAuditEvent({ action: "member.set", principal: operator }, () =>
    setMember(operator, { email: guest.email, permission: "read" }),
  );
  const { principal } = (await findSession(guest.sessionId, host.organizationId)) ?? {};
  const { id, end } = await endlessExport(principal as Principal);
  const SEEN = "SELECT seen_at > now() - interval '1 minute' AS recently FROM sessions WHERE id = $1";
  await query(server, "app", "UPDATE sessions SET seen_at = now() - interval '30 minutes' WHERE id = $1", [
    guest.sessionId,
  ]);
  await until(
    "the session is in use",
    async () => (await query<{ recently: boolean }>(server, "app", SEEN, [guest.sessionId]))[0]?.recently,
  );
  await withAuditEvent({ action: "member.remove", principal: operator }, () =>
    removeMemberByEmail(operator, { email: guest.email }),
  );
  expect(await end).toBe("the credential of the export is no longer valid");
  await expectIncomplete(id);
});

test("an export ends after an hour", async () => {
  const timers = vi.spyOn(globalThis, "setTimeout");
  onTestFinished(() => timers.mockRestore());
  const { organizationId } = await newSession(server);
  const { id, end } = await endlessExport(systemPrincipal(organizationId));
  const [endIt] = timers.mock.calls.find(([, ms]) => ms === HOUR_MS) ?? [];
  endIt?.();
  expect(await end).toBe("the export took too long");
  await expectIncomplete(id);
});

test("a person has two exports at a time in all organizations that they created", async () => {
  const person = await newSession(server);
  const [second, third] = [await another(person), await another(person)];
  await Promise.all([endlessExport(systemPrincipal(person.organizationId)), endlessExport(second)]);
  await expect(endlessExport(third)).rejects.toMatchObject({ code: "UNAVAILABLE", details: { retry_after: 10 } });
  const other = await newSession(server);
  await endlessExport(await another(other));
  // Those who are left in an organization do not wait for the person who left it.
  const left = "DELETE FROM memberships WHERE organization_id = $1 AND user_id = $2";
  await query(server, "app", left, [third.organizationId, person.userId]);
  await endlessExport(third);
});

test("organizations whose creators left count for their longest-standing admin", async () => {
  const [creator, heir, later] = await Promise.all([newSession(server), newSession(server), newSession(server)]);
  const left = [await another(creator), await another(creator), await another(creator)];
  for (const principal of left) {
    for (const [permission, { email }] of [
      ["admin", heir],
      ["admin", later],
    ] as const)
      await withAuditEvent({ action: "member.set", principal }, () => setMember(principal, { email, permission }));
    await withAuditEvent({ action: "member.remove", principal }, () =>
      removeMemberByEmail(principal, { email: creator.email }),
    );
  }
  const [first, second, third] = left as [Principal, Principal, Principal];
  await Promise.all([endlessExport(first), endlessExport(second)]);
  const busy = { code: "UNAVAILABLE", details: { retry_after: 10 } };
  await expect(endlessExport(third)).rejects.toMatchObject(busy);
  await expect(endlessExport(systemPrincipal(heir.organizationId))).rejects.toMatchObject(busy);
  // Neither the one who left nor later admins wait for them.
  await endlessExport(systemPrincipal(creator.organizationId));
  await endlessExport(systemPrincipal(later.organizationId));
});

test("while others wait for a slot, the export whose client is furthest below 64 KiB/s ends", async () => {
  let ahead = 0;
  const clock = performance.now.bind(performance);
  const now = vi.spyOn(performance, "now").mockImplementation(() => clock() + ahead);
  onTestFinished(() => now.mockRestore());
  const [one, other, newcomer] = await Promise.all([newSession(server), newSession(server), newSession(server)]);
  const start = ({ organizationId }: SignedIn) => startExport(systemPrincipal(organizationId), Buffer.alloc(65_536));
  const [fast, slow, slower, slowest] = [await start(one), await start(one), await start(other), await start(other)];
  const files = [fast, slow, slower, slowest];
  for (const { reader } of files) await reader.read();
  // In each minute the slow clients read a few blocks, and the fast one reads as many as it needs to.
  const blocks = [60, 5, 2, 1];
  for (let minute = 1; minute <= 4; minute++) {
    ahead += 59_000;
    for (const [index, { reader }] of files.entries())
      for (let n = 0; n < (blocks[index] ?? 0); n++) expect((await reader.read()).done).toBe(false);
    // One who has no slot left of their own ends nobody.
    await expect(start(one)).rejects.toMatchObject({ code: "UNAVAILABLE" });
    if (minute < 3) await expect(start(newcomer)).rejects.toMatchObject({ code: "UNAVAILABLE" });
  }
  const ended = { message: "the client read too slowly while others waited" };
  await start(newcomer);
  await expect(slowest.reader.read()).rejects.toMatchObject(ended);
  await expectIncomplete(slowest.id);
  await start(newcomer);
  await expect(slower.reader.read()).rejects.toMatchObject(ended);
  await start(other);
  await expect(slow.reader.read()).rejects.toMatchObject(ended);
  await expect(start(other)).rejects.toMatchObject({ code: "UNAVAILABLE" });
  expect((await fast.reader.read()).done).toBe(false);
});
