import { describe, expect, test, vi } from "vitest";
import type { z } from "zod";
import { exportWhenFree, parseNdjson } from "@/e2e/audit/export-files";
import { signNow, whenSigned } from "@/e2e/audit/sealed/sealing";
import { reader, store, storeMany } from "@/e2e/audit/store";
import { query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { newSession } from "@/e2e/support/session";
import { until } from "@/e2e/support/until";
import { AuditEventDraft } from "@/lib/audit-logs/audit-event-draft";
import { checkLogNow } from "@/lib/audit-logs/check/check-logs";
import { excusedUntil } from "@/lib/audit-logs/check/excused-until";
import type { AuditEvent, AuditEventWithBody } from "@/lib/audit-logs/contract";
import { deleteOrganizationEvents } from "@/lib/audit-logs/retain/delete-organization-events";
import { getSealedLog } from "@/lib/audit-logs/seal/get";
import type { sealedLog } from "@/lib/audit-logs/seal/get-contract";
import { createLog } from "@/lib/audit-logs/seal/log-rows";
import { sealEvents } from "@/lib/audit-logs/seal/sealer";
import { auditPool } from "@/lib/db/audit";
import { systemPrincipal } from "@/lib/http/principal";
import { NOBODY, newId } from "@/lib/ids";
import { commitEventParts, decodeBody, eventLeafHash, MISSING, NONCE_BYTES } from "@/lib/sealed-log/leaf";
import { CompactRange, HASH_BYTES } from "@/lib/sealed-log/tree";
import { DAY_MS } from "@/lib/time/units";
import { verify } from "@/public/sealwatch-verify.mjs";

const server = sharedServer();
const someone = await newSession(server);
const never = new AbortController().signal;

interface SealedEvent {
  index: number;
  id: string;
  nonce: Buffer;
  commitment: Buffer;
}

/** The sealed events of an organization as stored, by index. */
async function sealedEvents(organizationId: string): Promise<SealedEvent[]> {
  const rows = await query<{ first_index: string; ids: string[]; nonces: Buffer; commitments: Buffer }>(
    server,
    "audit",
    "SELECT first_index, ids, nonces, commitments FROM audit_seals WHERE organization_id = $1 ORDER BY first_index",
    [organizationId],
  );
  return rows.flatMap(({ first_index, ids, nonces, commitments }) =>
    ids.map((id, at) => ({
      index: Number(first_index) + at,
      id,
      nonce: nonces.subarray(at * NONCE_BYTES, (at + 1) * NONCE_BYTES),
      commitment: commitments.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES),
    })),
  );
}

/** The sealed events, when there are as many. */
const whenSealed = (organizationId: string, count: number) =>
  until("all events are sealed", async () => {
    const events = await sealedEvents(organizationId);
    return events.length >= count && events;
  });

function rootOf(events: readonly SealedEvent[]): string {
  const tree = CompactRange.empty();
  for (const { id, commitment } of events) tree.append(eventLeafHash(id, commitment));
  return Buffer.from(tree.root()).toString("base64");
}

const eventOf = (organization_id: string) =>
  new AuditEventDraft({ organization_id, method: "GET", path: "/sealed", status_code: 200 }).row;

const indexes = (events: readonly SealedEvent[]) => events.map(({ index }) => index);
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

describe("the sealed log", () => {
  test("commits to every event as the API shows it, and the root to all of them", async () => {
    const body = { name: "Zoë 😀 \u0001", url: "https://example.com/ä" };
    const { requestId } = await someone.api.post("/audit-logs/views", body);
    await whenSigned(someone.organizationId, [requestId]);
    const sealed = (await someone.api.get<AuditEventWithBody>(`/audit-logs/${requestId}`)).data;
    const log = (await someone.api.get<z.output<typeof sealedLog>>("/audit-logs/seal")).data;
    expect(log).toMatchObject({ epoch: 1, is_importing: false, oldest_index: 0 });
    const events = await sealedEvents(someone.organizationId);
    expect(indexes(events)).toEqual(upTo(events.length));
    expect(rootOf(events.slice(0, log.size))).toBe(log.root);
    const found = events.find(({ id }) => id === requestId);
    expect(sealed.seal).toEqual({ index: found?.index, epoch: 1, redaction: null });
    expect(sealed.request?.body).toBe(JSON.stringify(body));
    const bytes = decodeBody(sealed.request?.body, sealed.request?.body_encoding);
    const committed = commitEventParts({ ...sealed }, bytes, found?.nonce ?? Buffer.alloc(0));
    expect(Buffer.from(committed)).toEqual(found?.commitment);
  });

  test("is the same in the list, the event and the exports", async () => {
    const { requestId = "" } = await someone.api.get("/audit-logs/views");
    await whenSigned(someone.organizationId, [requestId]);
    const one = (await someone.api.get<AuditEventWithBody>(`/audit-logs/${requestId}`)).data;
    const filter = { action: "audit_view.list" };
    const list = (await someone.api.get<AuditEvent[]>(`/audit-logs?${new URLSearchParams(filter)}`)).data;
    const file = await exportWhenFree(server, someone, { format: "ndjson", include: "body", ...filter });
    const csv = await exportWhenFree(server, someone, { format: "csv", ...filter });
    expect(one.seal).toMatchObject({ epoch: 1, index: expect.any(Number) });
    expect(list).toMatchObject([{ id: requestId, seal: one.seal }]);
    expect(parseNdjson(await file.read()).events).toEqual([one]);
    expect((await csv.read()).toString()).toContain(`,${one.seal?.index},1,`);
  });

  test("shows an organization only its own", async () => {
    const other = await newSession(server);
    const { data } = await other.api.get<z.output<typeof sealedLog>>("/audit-logs/seal");
    expect(data.size).toBeLessThan((await sealedEvents(someone.organizationId)).length);
  });

  test("holds an event once, whoever seals it and however often it is queued", async () => {
    const { organizationId } = reader();
    const rows = Array.from({ length: 300 }, () => eventOf(organizationId));
    const ids = rows.map(({ id }) => id);
    const again = () =>
      query(server, "audit", "INSERT INTO audit_seal_queue (organization_id, ids) VALUES ($1, $2)", [
        organizationId,
        ids,
      ]);
    await Promise.all([store(rows), again(), sealEvents(never), sealEvents(never), sealEvents(never)]);
    await again();
    await until("the queue is empty", async () => {
      await sealEvents(never);
      return (await getSealedLog(systemPrincipal(organizationId))).lag_seconds === null;
    });
    const events = await sealedEvents(organizationId);
    expect(indexes(events)).toEqual(upTo(rows.length));
    expect(new Set(events.map(({ id }) => id))).toEqual(new Set(ids));
    await whenSigned(organizationId, ids);
    const log = await getSealedLog(systemPrincipal(organizationId));
    expect(log).toMatchObject({ size: rows.length, root: rootOf(events), refused: null });
    const nodes = await query<{ level: number; position: string }>(
      server,
      "audit",
      "SELECT level, position FROM audit_seal_nodes WHERE organization_id = $1",
      [organizationId],
    );
    expect(nodes).toEqual([{ level: 8, position: "0" }]);
  });

  test("seals the events that belong to no organization too", async () => {
    const row = eventOf(NOBODY);
    await store([row]);
    await whenSigned(NOBODY, [row.id]);
    const queued = "SELECT FROM audit_seal_queue WHERE $1 = ANY (ids)";
    expect(await query(server, "audit", queued, [row.id])).toEqual([]);
  });

  test("finds events that no sealer was notified of", async () => {
    const { organizationId } = reader();
    await store([eventOf(organizationId)]);
    await whenSealed(organizationId, 1);
    const from = Date.now() - 3_600_000;
    await storeMany(server, organizationId, { count: 3, path: "/untold/", from, everyMs: 1_000 });
    const { wrong } = await checkLogNow(organizationId);
    expect(wrong).toBeNull();
    expect(await whenSealed(organizationId, 4)).toHaveLength(4);
  });

  test("has a place for an event that is not stored", async () => {
    const { organizationId } = reader();
    const gone = newId();
    await query(server, "audit", "INSERT INTO audit_seal_queue (organization_id, ids) VALUES ($1, $2)", [
      organizationId,
      [gone],
    ]);
    const [event] = await whenSealed(organizationId, 1);
    expect(event).toMatchObject({ index: 0, id: gone, commitment: MISSING });
    await whenSigned(organizationId, [gone]);
    const says = (what: string) => ({ index: 0, message: expect.stringMatching(`${gone} of \\S+, ${what}`) });
    expect((await checkLogNow(organizationId)).wrong).toEqual(says("was deleted before it was sealed"));
    await store([{ ...eventOf(organizationId), id: gone }]);
    expect((await checkLogNow(organizationId)).wrong).toEqual(says("was added after it had been sealed as missing"));
  });

  test("begins with what was stored before it, and says how much", async () => {
    const { organizationId } = reader();
    const [installation] = await query<{ started_at: Date }>(
      server,
      "audit",
      "SELECT started_at FROM audit_seal_installation",
    );
    const from = (installation?.started_at.getTime() ?? 0) - 10_000;
    await storeMany(server, organizationId, { count: 8, path: "/old/", from, everyMs: 1_000 });
    await createLog(auditPool(), organizationId);
    await query(server, "audit", "UPDATE audit_seal_logs SET import_after = $2 WHERE organization_id = $1", [
      organizationId,
      "00000000-0000-0000-0000-000000000000",
    ]);
    const fresh = eventOf(organizationId);
    await store([fresh]);
    const events = await whenSealed(organizationId, 10);
    expect(indexes(events)).toEqual(upTo(10));
    expect(events.map(({ id }) => id).slice(0, 8)).toEqual(
      events
        .map(({ id }) => id)
        .slice(0, 8)
        .sort(),
    );
    expect(events[9]?.id).toBe(fresh.id);
    const [started] = await query(server, "audit", "SELECT action, details FROM audit_events WHERE id = $1", [
      events[8]?.id,
    ]);
    expect(started).toEqual({ action: "audit_log.sealing_started", details: { imported: 8 } });
    const filed = await query<{ filed_at: Date }>(
      server,
      "audit",
      "SELECT filed_at FROM audit_seals WHERE organization_id = $1 ORDER BY first_index",
      [organizationId],
    );
    expect(filed[0]?.filed_at.getTime()).toBeLessThan(from + DAY_MS);
  });

  test("excuses what another process has let expire if the clock of this one is behind", async () => {
    const { organizationId } = await newSession(server);
    const before = await excusedUntil(organizationId);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 3_600_000 });
    const behind = await excusedUntil(organizationId).finally(() => vi.useRealTimers());
    expect(behind).toBeGreaterThanOrEqual(before);
  });

  test("is deleted with its organization, but for its slot", async () => {
    const { organizationId } = reader();
    const row = eventOf(organizationId);
    await store([row]);
    await whenSigned(organizationId, [row.id]);
    await deleteOrganizationEvents(organizationId, () => false);
    expect(await sealedEvents(organizationId)).toEqual([]);
    const slots = await query(server, "audit", "SELECT slot FROM audit_seal_logs WHERE organization_id = $1", [
      organizationId,
    ]);
    expect(slots).toHaveLength(1);
    // The heads of the next round have that slot, and prove the logs of others as before.
    const { requestId = "" } = await someone.api.get("/api-keys");
    await whenSigned(someone.organizationId, [requestId]);
    const bundle = await (await exportWhenFree(server, someone, { format: "ndjson", include: "seal" })).read();
    expect(JSON.parse(bundle.toString().split("\n")[0] ?? "").sealed_log.heads).not.toBeNull();
    const { vkey } = await getSealedLog(systemPrincipal(someone.organizationId));
    expect(await verify([bundle], { vkey: vkey ?? "" })).toMatchObject({ code: 0, open: [] });
    expect((await checkLogNow(someone.organizationId)).wrong).toBeNull();
  });

  test("that is refused is not once its organization is deleted: nothing of it waits to be signed", async () => {
    const { organizationId } = reader();
    const [first, second] = [eventOf(organizationId), eventOf(organizationId)];
    await store([first]);
    await whenSigned(organizationId, [first.id]);
    await query(
      server,
      "audit",
      "UPDATE audit_seal_logs SET refused = 'in a test', refused_at = now() WHERE organization_id = $1",
      [organizationId],
    );
    await store([second]);
    await whenSealed(organizationId, 2);
    await deleteOrganizationEvents(organizationId, () => false);
    await signNow(server);
    const [log] = await query(
      server,
      "audit",
      "SELECT size::integer AS size, head_size::integer AS head_size, refused FROM audit_seal_logs WHERE organization_id = $1",
      [organizationId],
    );
    expect(log).toEqual({ size: 1, head_size: 1, refused: null });
    expect(await sealedEvents(organizationId)).toEqual([]);
  });
});
