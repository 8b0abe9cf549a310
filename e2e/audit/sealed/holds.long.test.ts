import pg from "pg";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { aged } from "@/e2e/audit/aging";
import { exportWhenFree } from "@/e2e/audit/export-files";
import { placeHold, placeHoldAgo, releaseHold } from "@/e2e/audit/holding";
import { signNow, whenSigned } from "@/e2e/audit/sealed/sealing";
import { store } from "@/e2e/audit/store";
import { clearOfBoundary } from "@/e2e/support/boundaries";
import { query } from "@/e2e/support/servers/databases";
import { type Sealwatch, startSealwatch } from "@/e2e/support/servers/sealwatch";
import { newSession, type SignedIn } from "@/e2e/support/session";
import { until } from "@/e2e/support/until";
import type { AuditRow } from "@/lib/audit-logs/audit-event-draft";
import { checkLogNow } from "@/lib/audit-logs/check/check-logs";
import type { AuditEvent, AuditEventWithBody } from "@/lib/audit-logs/contract";
import { lockForHold } from "@/lib/audit-logs/held/redaction-lock";
import type { AuditHold } from "@/lib/audit-logs/hold/contract";
import { redactDue } from "@/lib/audit-logs/redact/redact-due";
import { enforceRetention } from "@/lib/audit-logs/retain/retention";
import { expireSeals } from "@/lib/audit-logs/seal/expire-seals";
import { getSealedLog } from "@/lib/audit-logs/seal/get";
import { withAuditEvent } from "@/lib/audit-logs/write/commit-event";
import { setPlan } from "@/lib/billing/set-plan";
import { systemPrincipal } from "@/lib/http/principal";
import { idTime, newId } from "@/lib/ids";
import { log } from "@/lib/log";
import type { Organization } from "@/lib/organizations/contract";
import { purgeOrganizations } from "@/lib/organizations/purge";
import { DAY_MS } from "@/lib/time/units";
import { verify } from "@/public/sealwatch-verify.mjs";

// A day that expires now would be dropped.
await clearOfBoundary(DAY_MS, 90_000);

let server: Sealwatch;

// A separate server: these tests drop days that others would still need.
beforeAll(async () => {
  server = await startSealwatch();
});
afterAll(() => server?.destroy());

const never = new AbortController().signal;
const app = <Row extends object>(text: string, values: unknown[]) => query<Row>(server, "app", text, values);
const audit = <Row extends object>(text: string, values: unknown[]) => query<Row>(server, "audit", text, values);
const vkeyOf = async ({ organizationId }: SignedIn) => (await getSealedLog(systemPrincipal(organizationId))).vkey ?? "";
const bundleOf = async (who: SignedIn) =>
  (await exportWhenFree(server, who, { format: "ndjson", include: "seal" })).read();

/** A signed event of a person, with a body. */
async function withBody(): Promise<{ who: SignedIn; id: string; body: () => Promise<unknown> }> {
  const who = await newSession(server);
  const { requestId: id } = await who.api.post("/audit-logs/views", { name: "A view", query: {} });
  await signNow(server);
  await whenSigned(who.organizationId, [id]);
  const body = async () => (await who.api.get<AuditEventWithBody>(`/audit-logs/${id}`)).data.request?.body ?? null;
  return { who, id, body };
}

const redact = (who: SignedIn, id: string) =>
  who.api.post<{ redacted_at: string | null }>(`/audit-logs/${id}/redact`, { part: "body", reason: "Asked for" });

describe("a redaction", () => {
  test("of an event on hold is refused, until the hold is released", async () => {
    const { who, id, body } = await withBody();
    const others = await placeHold(who, "method=DELETE");
    const hold = await placeHold(who, `id=${id}`);
    const refused = await redact(who, id);
    expect([refused.status, refused.error.message]).toEqual([409, expect.stringContaining('on hold ("Case 4711")')]);
    expect(await body()).not.toBeNull();
    await releaseHold(who, hold);
    expect((await redact(who, id)).status).toBe(202);
    await signNow(server);
    await until("the body is redacted", async () => (await body()) === null);
    expect((await who.api.get<AuditHold[]>("/audit-logs/holds?status=active")).data).toEqual([others]);
  });

  test("that was asked for before a hold is placed, and is not done by then, waits for its release", async () => {
    const { who, id, body } = await withBody();
    const [holdId, own] = [newId(), who.organizationId];
    const client = new pg.Client({ connectionString: server.databases.app });
    await client.connect();
    // Placed by hand: its transaction keeps the worker from being done in between.
    await client.query("BEGIN");
    await client.query(lockForHold, [own]);
    const asked = await redact(who, id);
    await client.query(
      `INSERT INTO audit_holds (organization_id, id, name, reason, covers_since, placed_at, placed_by_type, placed_by_name)
       VALUES ($1, $2, 'Case', 'x', now() - interval '30 days', now(), 'user', 'Somebody')`,
      [own, holdId],
    );
    await client.query("COMMIT");
    await client.end();
    expect(asked.status).toBe(202);
    await signNow(server);
    await whenSigned(own, [asked.requestId]);
    for (let n = 0; n < 3; n++) {
      await app("UPDATE redaction_requests SET next_at = now() WHERE organization_id = $1", [own]);
      await redactDue(never);
    }
    expect(await body()).not.toBeNull();
    expect((await who.api.delete(`/audit-logs/holds/${holdId}`)).status).toBe(200);
    await app("UPDATE redaction_requests SET next_at = now() WHERE organization_id = $1", [own]);
    await until("the body is redacted", async () => (await body()) === null);
  });
});

describe("an organization", () => {
  test("cannot be deleted while its log is on hold", async () => {
    const who = await newSession(server);
    const hold = await placeHold(who);
    const refused = await who.api.delete(`/organizations/${who.organizationId}`);
    expect([refused.status, refused.error.message]).toEqual([409, expect.stringContaining("release the hold")]);
    await releaseHold(who, hold);
    expect((await who.api.delete(`/organizations/${who.organizationId}`)).status).toBe(200);
  });

  test("that is due for deletion stays until all holds that were placed meanwhile are released", async () => {
    const who = await newSession(server);
    const own = who.organizationId;
    expect((await who.api.delete(`/organizations/${own}`)).status).toBe(200);
    const hold = await placeHold(who);
    await app("UPDATE organizations SET deletion_due_at = now() WHERE id = $1", [own]);
    const later = await placeHold(who);
    await releaseHold(who, hold);
    const warn = vi.spyOn(log, "warn");
    for (let run = 0; run < 2; run++) await purgeOrganizations(never);
    const said = warn.mock.calls.filter(([of]) => JSON.stringify(of).includes(own)).map(([, words]) => words);
    warn.mockRestore();
    expect(said).toEqual(["an organization is due for deletion, but its audit log is on hold"]);
    expect((await who.api.get<AuditHold[]>("/audit-logs/holds")).data).toMatchObject([
      { id: later.id },
      { id: hold.id },
    ]);
    expect(await audit("SELECT FROM audit_events WHERE organization_id = $1 LIMIT 1", [own])).toHaveLength(1);
    await releaseHold(who, later);
    const left = async () => [
      ...(await app("SELECT FROM organizations WHERE id = $1", [own])),
      ...(await audit("SELECT FROM audit_events WHERE organization_id = $1 LIMIT 1", [own])),
    ];
    await until("it is deleted", async () => {
      await purgeOrganizations(never);
      return (await left()).length === 0;
    });
  });
});

test("a deletion that is due can be cancelled while a hold delays it", async () => {
  const who = await newSession(server);
  const own = who.organizationId;
  expect((await who.api.delete(`/organizations/${own}`)).status).toBe(200);
  const hold = await placeHold(who);
  await app("UPDATE organizations SET deletion_due_at = now() WHERE id = $1", [own]);
  const restored = await who.api.post<Organization>(`/organizations/${own}/restore`);
  expect([restored.status, restored.data.deletion]).toEqual([200, null]);
  await releaseHold(who, hold);
  await purgeOrganizations(never);
  expect(await app("SELECT FROM organizations WHERE id = $1", [own])).toHaveLength(1);
});

/** Seals events of these ages in days with these methods, then runs the retention until only those on hold are left of the expired. */
async function expired(who: SignedIn, events: [days: number, method: string][], isKept: (row: AuditRow) => boolean) {
  const rows = events.map(([days, method]) => ({ ...aged(who.organizationId, 30, days * DAY_MS), method }));
  await store(rows);
  const ids = rows.map(({ id }) => id);
  await signNow(server);
  await whenSigned(who.organizationId, ids);
  const kept = rows.filter(isKept).map(({ id }) => id);
  await until("the others have expired", async () => {
    await enforceRetention(never);
    const text = "SELECT id FROM audit_events WHERE id = ANY ($1::uuid[]) ORDER BY id";
    const left = (await audit<{ id: string }>(text, [ids])).map(({ id }) => id);
    expect(left).toEqual(expect.arrayContaining(kept));
    return left.length === kept.length;
  });
  return { ids, kept };
}

describe("the sealed log", () => {
  test("proves held events between expired ones, and the self-check finds nothing", async () => {
    const who = await newSession(server);
    await placeHoldAgo(server, who, 30 * DAY_MS, "method=DELETE");
    const { ids, kept } = await expired(
      who,
      [
        [45, "POST"],
        [44, "DELETE"],
        [43, "POST"],
        [42, "DELETE"],
        [41, "POST"],
        [29, "POST"],
      ],
      (row) => row.method === "DELETE" || Date.now() - idTime(row.id) < 30 * DAY_MS,
    );
    const bundle = await bundleOf(who);
    const lines = bundle.toString().split("\n").filter(Boolean);
    const parsed = lines.map((line) => JSON.parse(line) as { id?: string; thin?: { id: string; reason: string } });
    const ours = new Set(ids);
    expect(parsed.flatMap(({ id }) => (id !== undefined && ours.has(id) ? [id] : []))).toEqual(kept);
    expect(parsed.flatMap(({ thin }) => (thin ? [[thin.id, thin.reason]] : []))).toEqual(
      ids.filter((id) => !kept.includes(id)).map((id) => [id, "expired"]),
    );
    const result = await verify([bundle], { vkey: await vkeyOf(who), retentionDays: 30 });
    expect([result.code, result.open]).toEqual([0, []]);
    const sealed = await who.api.get<AuditEvent[]>("/audit-logs?order=sealed&limit=200&path=/aged");
    expect(sealed.data.map(({ id }) => id).sort()).toEqual([...kept].sort());
    expect((await checkLogNow(who.organizationId)).wrong).toBeNull();
  });

  test("shows that an event of a log on hold was deleted", async () => {
    const who = await newSession(server);
    await placeHoldAgo(server, who, 30 * DAY_MS);
    const { ids } = await expired(
      who,
      [
        [45, "POST"],
        [35, "POST"],
      ],
      () => true,
    );
    expect((await verify([await bundleOf(who)], { vkey: await vkeyOf(who) })).code).toBe(0);
    expect((await checkLogNow(who.organizationId)).wrong).toBeNull();
    await audit("DELETE FROM audit_events WHERE id = $1", [ids[0]]);
    expect((await checkLogNow(who.organizationId)).wrong).toMatchObject({
      message: expect.stringContaining("was deleted before its retention ended"),
    });
  });

  test("shows it also after a change of the plan under the hold", async () => {
    const who = await newSession(server);
    await placeHoldAgo(server, who, 30 * DAY_MS);
    const { ids } = await expired(who, [[45, "POST"]], () => true);
    const principal = systemPrincipal(who.organizationId);
    await withAuditEvent({ action: "organization.set_plan", principal }, () => setPlan(principal, { plan: "team" }));
    await signNow(server);
    expect((await checkLogNow(who.organizationId)).wrong).toBeNull();
    await audit("DELETE FROM audit_events WHERE id = $1", [ids[0]]);
    expect((await checkLogNow(who.organizationId)).wrong).toMatchObject({
      message: expect.stringContaining("was deleted before its retention ended"),
    });
  });

  test("keeps the seals of a log on hold that were signed too late for the self-check, and deletes those before", async () => {
    const own = newId();
    await app("INSERT INTO organizations (id, name, slug, created_at) VALUES ($1, 'Held', $2, now())", [own, own]);
    const event = aged(own, 30, 62 * DAY_MS);
    await store([event]);
    await signNow(server);
    await whenSigned(own, [event.id]);
    await audit("DELETE FROM audit_events WHERE organization_id = $1", [own]);
    await app(
      `INSERT INTO audit_holds (organization_id, id, name, reason, covers_since, placed_at, placed_by_type, placed_by_name)
       VALUES ($1, $2, 'Case', 'x', now() - interval '60 days', now() - interval '30 days', 'user', 'Somebody')`,
      [own, newId()],
    );
    const midnight = "date_trunc('day', now() - interval '61 days', 'UTC')";
    await audit(`UPDATE audit_seals SET filed_at = ${midnight} - interval '1 second' WHERE organization_id = $1`, [
      own,
    ]);
    for (const [late, oldest] of [
      ["1 second", 0],
      ["-1 second", null],
    ] as const) {
      await audit(
        `UPDATE audit_seal_checkpoints SET signed_at = ${midnight} + $2::interval WHERE organization_id = $1`,
        [own, late],
      );
      await expireSeals(never);
      expect((await getSealedLog(systemPrincipal(own))).oldest_index).toBe(oldest);
      expect((await checkLogNow(own)).wrong).toBeNull();
    }
  });
});
