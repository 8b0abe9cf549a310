import { afterAll, beforeAll, expect, test } from "vitest";
import { aged } from "@/e2e/audit/aging";
import { exportOf } from "@/e2e/audit/export-files";
import { placeHold, releaseHold } from "@/e2e/audit/holding";
import { whenSigned } from "@/e2e/audit/sealed/sealing";
import { store } from "@/e2e/audit/store";
import { query } from "@/e2e/support/servers/databases";
import { type Sealwatch, startSealwatch } from "@/e2e/support/servers/sealwatch";
import { newSession, type SignedIn } from "@/e2e/support/session";
import { until } from "@/e2e/support/until";
import { checkLogNow } from "@/lib/audit-logs/check/check-logs";
import type { AuditEvent } from "@/lib/audit-logs/contract";
import { getSealedLog } from "@/lib/audit-logs/seal/get";
import { beginEpoch } from "@/lib/audit-logs/sign/new-epoch";
import { asNextSigner } from "@/lib/audit-logs/sign/signer-lock";
import { systemPrincipal } from "@/lib/http/principal";
import { verify, verifyProof } from "@/public/sealwatch-verify.mjs";

const TABLES = [
  "audit_events",
  "audit_bodies",
  "audit_seal_queue",
  "audit_seal_logs",
  "audit_seals",
  "audit_seal_nodes",
];
const SEAL_TABLES = ["audit_seal_installation", "audit_seal_rounds", "audit_seal_checkpoints"];

let server: Sealwatch;
let who: SignedIn;

// A separate server: its audit database is set back, and an epoch is one of all organizations.
beforeAll(async () => {
  server = await startSealwatch();
  who = await newSession(server);
});
afterAll(() => server?.destroy());

const audit = (text: string) => query(server, "audit", text);
const state = () => getSealedLog(systemPrincipal(who.organizationId));
const bundle = async (options: Record<string, string> = {}) =>
  (await exportOf(server, who, { format: "ndjson", include: "seal", ...options })).read();

async function signedRequest(): Promise<string> {
  const { requestId } = await who.api.get("/api-keys");
  await whenSigned(who.organizationId, [requestId]);
  return requestId;
}

test("after a restore nothing is signed until a new epoch, which says what was lost", async () => {
  const first = await signedRequest();
  const early = await state();
  await signedRequest();
  const all = [...TABLES, ...SEAL_TABLES];
  await audit("CREATE SCHEMA backup");
  const copies = all.map((name) => `CREATE TABLE backup.${name} AS TABLE ${name}`);
  await audit(`BEGIN ISOLATION LEVEL REPEATABLE READ; ${copies.join("; ")}; COMMIT`);
  const lost = await signedRequest();
  const { checkpoint, vkey } = await state();
  const before = await bundle();
  expect(await verify([before], { vkey: vkey ?? "" })).toMatchObject({ code: 0 });

  const restores = all.map((name) => `DELETE FROM ${name}; INSERT INTO ${name} SELECT * FROM backup.${name}`);
  // One transaction, which the worker may run into.
  await until("the backup is restored", async () => {
    await audit(restores.join("; "));
    return true;
  });
  const refused = await until("signing is refused", async () => {
    const now = await state();
    return now.refused !== null && now;
  });
  expect(refused.refused).toContain("older than what was signed");
  const ready = await fetch(`${server.url}/readyz`);
  expect([ready.status, (await ready.json()).parts.sealed_log]).toMatchObject([200, { status: "refused" }]);
  const { requestId: unsigned } = await who.api.get("/api-keys");

  expect(await beginEpoch("A restore in a test")).toBe(2);
  await whenSigned(who.organizationId, [unsigned]);
  const now = await state();
  expect(now).toMatchObject({ epoch: 2, refused: null });
  const [begun] = await audit(
    `SELECT details FROM audit_events WHERE organization_id = '${who.organizationId}' AND action = 'audit_log.epoch_started'`,
  );
  expect(begun).toMatchObject({ details: { reason: "A restore in a test", previous: { size: expect.any(Number) } } });
  const after = await bundle();
  expect(after.toString()).toContain(unsigned);
  expect(after.toString()).not.toContain(lost);
  const alone = await verify([after], { vkey: now.vkey ?? "" });
  expect([alone.code, alone.remarks.join()]).toEqual([0, expect.stringContaining("LOST")]);
  const held = await verify([after], { vkey: now.vkey ?? "", checkpoints: [checkpoint ?? ""] });
  expect(held).toMatchObject({ code: 1 });
  const proof = await fetch(`${server.url}/api/v1/audit-logs/${first}/proof`, { headers: { cookie: who.cookie } });
  const event = JSON.stringify((await who.api.get(`/audit-logs/${first}`)).data);
  expect(await verifyProof(await proof.text(), event, { vkey: vkey ?? "" })).toMatchObject({ code: 0 });
  // What the restored database still had stays sealed in the first epoch, and its bundle stays valid.
  expect((await who.api.get<{ seal: unknown }>(`/audit-logs/${first}`)).data.seal).toMatchObject({ epoch: 1 });
  expect(await verify([before], { vkey: vkey ?? "" })).toMatchObject({ code: 0 });

  // The closed epoch still has its bundle, and a checkpoint from it is proved to be what the new epoch follows.
  const closed = await bundle({ epoch: "1" });
  expect(closed.toString()).toContain(first);
  expect(closed.toString()).not.toContain(unsigned);
  expect(await verify([closed], { vkey: vkey ?? "" })).toMatchObject({ code: 0, open: [] });
  const size = Number(JSON.parse(closed.toString().split("\n")[0] ?? "").sealed_log.end);
  const sizes = { from: `${early.size}`, to: `${size}` };
  const proofOf = (epoch: string) => who.api.get(`/audit-logs/consistency?${new URLSearchParams({ ...sizes, epoch })}`);
  const kept = { vkey: now.vkey ?? "", checkpoints: [early.checkpoint ?? ""] };
  expect(early.size).toBeLessThan(size);
  expect(await verify([after], kept)).toMatchObject({ code: 2 });
  const consistency = [JSON.stringify((await proofOf("1")).data)];
  expect(await verify([after], { ...kept, consistency })).toMatchObject({ code: 0, open: [] });
  for (const refused of [
    await proofOf("3"),
    await who.api.get("/audit-logs/export?format=ndjson&include=seal&epoch=3"),
  ])
    expect([refused.status, refused.error.message]).toEqual([400, expect.stringContaining("epoch: is not an epoch")]);
});

test("after damage, redacted events are redacted in the new epoch too, and the order stays", async () => {
  const { organizationId } = who;
  // More rows of seals than are sealed at once.
  const early = Array.from({ length: 600 }, (_, at) => aged(organizationId, 30, (700 - at) * 6_000));
  await store(early);
  const { requestId: id } = await who.api.post("/audit-logs/views", { name: "A view", query: {} });
  await whenSigned(organizationId, [...early.map((row) => row.id), id]);
  const redaction = async () => {
    const { data } = await who.api.get<AuditEvent>(`/audit-logs/${id}`);
    return { epoch: data.seal?.epoch, by: [data.seal?.redaction?.body?.epoch, data.seal?.redaction?.caller?.epoch] };
  };
  for (const part of ["body", "caller"])
    expect((await who.api.post(`/audit-logs/${id}/redact`, { part, reason: "x" })).status).toBe(202);
  await until("both parts are redacted", async () => (await redaction()).by.every((epoch) => epoch === 2));
  await audit(
    `UPDATE audit_seals SET commitments = set_byte(commitments, 0, get_byte(commitments, 0) # 1)
     WHERE organization_id = '${organizationId}' AND epoch = 2 AND first_index > 0`,
  );
  // A redaction that deletes nothing more is repeated under a hold, too.
  const hold = await placeHold(who, `id=${id}`);
  const waiting = aged(organizationId, 30, 1_000);
  await store([waiting]);

  expect(await beginEpoch("Damage in a test")).toBe(3);
  await until("they are redacted in the new epoch", async () => {
    const { epoch, by } = await redaction();
    return epoch === 3 && by.every((each) => each === 3);
  });
  const sealed = await audit(
    `SELECT id::text FROM audit_seals CROSS JOIN unnest(ids) WITH ORDINALITY AS entry (id, place)
     WHERE organization_id = '${organizationId}' AND epoch = 3 ORDER BY first_index, place`,
  );
  const expected = [...early, waiting].map((row) => row.id);
  expect(sealed.map((row) => String(row.id)).filter((each) => expected.includes(each))).toEqual(expected);
  const result = await verify([await bundle()], { vkey: (await state()).vkey ?? "" });
  expect([result.code, result.open, result.remarks.join()]).toEqual([
    0,
    [],
    expect.stringContaining("1 entry was redacted"),
  ]);
  expect((await checkLogNow(organizationId)).wrong).toBeNull();
  await releaseHold(who, hold);
});

test("after damage between an event and its redaction, the event stays and names the redaction in the new epoch", async () => {
  const { organizationId } = who;
  const { requestId: id } = await who.api.post("/audit-logs/views", { name: "Another view", query: {} });
  await whenSigned(organizationId, [id]);
  // Like an anchored one, the checkpoint in front of the redaction is kept.
  const [{ size, epoch } = { size: 0, epoch: 0 }] = await query<{ size: number; epoch: number }>(
    server,
    "audit",
    `UPDATE audit_seal_checkpoints SET anchored_at = now() WHERE (organization_id, epoch, size) = (
       SELECT organization_id, epoch, size FROM audit_seal_checkpoints WHERE organization_id = $1 ORDER BY epoch DESC, size DESC LIMIT 1
     ) RETURNING size::integer AS size, epoch`,
    [organizationId],
  );
  const seal = async () => (await who.api.get<AuditEvent>(`/audit-logs/${id}`)).data.seal;
  const { requestId: by } = await who.api.post(`/audit-logs/${id}/redact`, { part: "body", reason: "x" });
  await until("the body is redacted", async () => (await seal())?.redaction?.body?.epoch === epoch);
  const { vkey } = await state();
  // No round may sign what is newer before the epoch begins.
  await asNextSigner(() =>
    audit(
      `UPDATE audit_seal_logs SET refused = 'Damaged in a test' WHERE organization_id = '${organizationId}';
       DELETE FROM audit_seal_checkpoints WHERE organization_id = '${organizationId}' AND epoch = ${epoch} AND size > ${size}`,
    ),
  );

  expect(await beginEpoch("Damage behind an event in a test")).toBe(epoch + 1);
  const closed = await bundle({ epoch: `${epoch}` });
  expect(closed.toString()).toContain(id);
  expect((await verify([closed], { vkey: vkey ?? "" })).code).not.toBe(1);
  const places = { epoch, redaction: { body: { id: by, epoch: epoch + 1 } } };
  await until("the redaction has its new place", async () => (await seal())?.redaction?.body?.epoch === epoch + 1);
  expect(await seal()).toMatchObject(places);
  expect((await checkLogNow(organizationId)).wrong).toBeNull();
});
