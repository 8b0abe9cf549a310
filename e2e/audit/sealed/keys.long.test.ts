import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { exportOf } from "@/e2e/audit/export-files";
import { signNow, whenSigned } from "@/e2e/audit/sealed/sealing";
import { query } from "@/e2e/support/servers/databases";
import { type Sealwatch, startSealwatch } from "@/e2e/support/servers/sealwatch";
import { newSession, type SignedIn } from "@/e2e/support/session";
import { until } from "@/e2e/support/until";
import { checkLogNow } from "@/lib/audit-logs/check/check-logs";
import { getSealedLog } from "@/lib/audit-logs/seal/get";
import { anchorCheckpoint } from "@/lib/audit-logs/sign/anchor-checkpoint";
import { sealKey } from "@/lib/audit-logs/sign/seal-keys";
import { systemPrincipal } from "@/lib/http/principal";
import { NOBODY } from "@/lib/ids";
import { formatCheckpoint, parseCheckpoint } from "@/lib/sealed-log/checkpoint";
import { formatNote, parseNote, signNote, verifyNote } from "@/lib/sealed-log/note";
import { parseVkey, verifierKey } from "@/lib/sealed-log/vkey";
import { verify } from "@/public/sealwatch-verify.mjs";
import { auditSealKey, replaceAuditSealKey } from "@/server/data-dir";

let server: Sealwatch;
let who: SignedIn;
let other: SignedIn;

// A separate server: the key is one of the whole installation.
beforeAll(async () => {
  server = await startSealwatch();
  who = await newSession(server);
  other = await newSession(server);
  await signedRequest(who);
  await signedRequest(other);
  // An event of nobody, whose log is the operator's.
  await fetch(`${server.url}/api/v1/api-keys`, { headers: { authorization: "Bearer unknown" } });
  await until("the operator's log is signed", async () => (await state({ organizationId: NOBODY })).size > 0);
});
afterAll(() => server?.destroy());

const audit = <Row extends object>(text: string, values: unknown[] = []) => query<Row>(server, "audit", text, values);
const state = ({ organizationId }: Pick<SignedIn, "organizationId">) => getSealedLog(systemPrincipal(organizationId));
const bundle = async (of: SignedIn) => (await exportOf(server, of, { format: "ndjson", include: "seal" })).read();
const file = (name: string) => join(server.dataDir, name);
const keyFile = () => readFileSync(file("audit-seal.key"), "utf8").trim();
const rotations = (organizationId: string) =>
  audit<{ details: { from: string; to: string } }>(
    "SELECT details FROM audit_events WHERE organization_id = $1 AND action = 'audit_log.key_rotated' ORDER BY id",
    [organizationId],
  );

async function signedRequest(of: SignedIn): Promise<void> {
  const { requestId } = await of.api.get("/api-keys");
  await whenSigned(of.organizationId, [requestId]);
}

/** Resolves when no log needs the key before. */
async function changed(): Promise<void> {
  await until(
    "the worker has changed every log and deleted the key before",
    () => !existsSync(file("audit-seal-before.key")),
  );
}

async function vkeyOf(of: SignedIn): Promise<string> {
  const { vkey } = await state(of);
  if (vkey === null) throw new Error("the log has no key");
  return vkey;
}

test("a change of the key is announced in each log, and leads from the old key to the new one", async () => {
  const [seed, pinned, pinnedOther] = [keyFile(), await vkeyOf(who), await vkeyOf(other)];
  const before = await state(who);
  const sent = await anchorCheckpoint(who.organizationId, null);
  expect(sent?.vkey).toBe(pinned);
  expect(await server.cli("audit", "key")).toEqual({ is_changed: true, waiting: 0, refused: 0 });

  expect(await server.cli("audit", "key", "rotate")).toMatchObject({ refused: 0 });
  expect(keyFile()).not.toBe(seed);
  await changed();
  expect(await server.cli("audit", "key")).toEqual({ is_changed: true, waiting: 0, refused: 0 });
  await signedRequest(who);

  for (const [of, old] of [
    [who, pinned],
    [other, pinnedOther],
  ] as const) {
    const now = await vkeyOf(of);
    expect(now).not.toBe(old);
    expect(await rotations(of.organizationId)).toEqual([{ details: { from: old, to: now } }]);
    const { keys } = await state(of);
    expect(keys.map(({ vkey }) => vkey)).toEqual([now]);
    const signers = verifyNote(parseNote(keys[0]?.note ?? ""), [parseVkey(old), parseVkey(now)]);
    expect(signers.map(({ key }) => key.id).sort()).toEqual([parseVkey(old).id, parseVkey(now).id].sort());
    const exported = await bundle(of);
    const byOld = await verify([exported], {
      vkey: old,
      checkpoints: [before.checkpoint ?? ""].filter(() => of === who),
    });
    expect([byOld.code, byOld.verdict, byOld.open]).toEqual([0, expect.stringContaining("Proved"), []]);
    expect(byOld.remarks.join()).toContain("The key was changed since the given one");
    expect(await verify([exported], { vkey: now })).toMatchObject({ code: 0 });
    expect(await checkLogNow(of.organizationId)).toMatchObject({ wrong: null });
    expect(await state(of)).toMatchObject({ refused: null, self_check: { result: "ok" } });
  }
  expect(await rotations(NOBODY)).toHaveLength(1);

  // What was signed before the change is still a checkpoint of the log; what is sent now has the new key.
  writeFileSync(file("kept.txt"), sent?.note ?? "");
  expect(await server.cli("audit", "checkpoint", "--confirm", file("kept.txt"))).toMatchObject({ size: sent?.size });
  expect((await anchorCheckpoint(who.organizationId, null))?.vkey).toBe(pinned);
  expect((await anchorCheckpoint(who.organizationId, sent))?.vkey).toBe(await vkeyOf(who));
  const fresh = await newSession(server);
  await signedRequest(fresh);
  expect((await state(fresh)).keys).toEqual([]);
  expect(await verify([await bundle(fresh)], { vkey: await vkeyOf(fresh) })).toMatchObject({ code: 0 });

  await oldKeySigns(Buffer.from(seed, "base64"));
});

/** Nothing that the old key alone signs for a size after the change is accepted. */
async function oldKeySigns(seed: Buffer): Promise<void> {
  const { checkpoint, size } = await state(who);
  const { origin, root } = parseCheckpoint(parseNote(checkpoint ?? "").text);
  const { privateKey, publicKey } = sealKey(seed);
  const sign = (of: number) => {
    const text = formatCheckpoint({ origin, size: of, root });
    return formatNote({ text, signatures: [signNote(text, privateKey, verifierKey(origin, publicKey))] });
  };
  writeFileSync(file("forged.txt"), sign(size + 1));
  await expect(server.cli("audit", "checkpoint", "--confirm", file("forged.txt"))).rejects.toThrow("did not sign");
  const exported = (await bundle(who)).toString();
  const forged = exported.replace(JSON.stringify(checkpoint), JSON.stringify(sign(size)));
  expect(forged).not.toBe(exported);
  expect(await verify([Buffer.from(forged)], { vkey: await vkeyOf(who) })).toMatchObject({ code: 1 });
  const replace = "UPDATE audit_seal_checkpoints SET checkpoint = $3 WHERE organization_id = $1 AND size = $2";
  await audit(replace, [who.organizationId, size, sign(size)]);
  expect((await checkLogNow(who.organizationId)).wrong?.message).toContain("not one that the log's key signed");
  await audit(replace, [who.organizationId, size, checkpoint]);
  expect(await checkLogNow(who.organizationId)).toMatchObject({ wrong: null });

  // Another key that nobody announced cannot take the place of the log's either.
  const keys = "UPDATE audit_seal_keys SET public_key = $2 WHERE organization_id = $1 AND checkpoint IS NOT NULL";
  const present = verifierKeyBytes(await vkeyOf(who));
  await audit(keys, [who.organizationId, publicKey]);
  expect((await checkLogNow(who.organizationId)).wrong).not.toBeNull();
  await audit(keys, [who.organizationId, present]);
  expect(await checkLogNow(who.organizationId)).toMatchObject({ wrong: null });
}

const verifierKeyBytes = (vkey: string) => parseVkey(vkey).publicKey;

test("a change goes on after kills, and announces itself once; a log that is not signed keeps the key before", async () => {
  const pinned = await vkeyOf(who);
  const counts = await Promise.all([who, other].map(async (of) => (await rotations(of.organizationId)).length));
  await audit("UPDATE audit_seal_logs SET refused = 'in a test' WHERE organization_id = $1", [other.organizationId]);
  expect(await server.cli("audit", "key", "rotate")).toMatchObject({ refused: 1 });
  server.kill("worker");
  const changedKey = keyFile();
  await until("the log of one organization is changed", async () => (await vkeyOf(who)) !== pinned);
  await until("another worker runs", () => server.pids().worker !== undefined);
  server.kill("worker");
  // No second change begins while a log needs the key before.
  expect(await server.cli("audit", "key", "rotate")).toEqual({ is_changed: false, waiting: 1, refused: 1 });
  expect(keyFile()).toBe(changedKey);
  expect(existsSync(file("audit-seal-before.key"))).toBe(true);
  await signedRequest(who);
  await audit("UPDATE audit_seal_logs SET refused = NULL WHERE organization_id = $1", [other.organizationId]);
  await changed();
  for (const [at, of] of [who, other].entries()) {
    expect(await rotations(of.organizationId)).toHaveLength((counts[at] ?? 0) + 1);
    expect(await verify([await bundle(of)], { vkey: (await state(of)).keys[0]?.vkey ?? "" })).toMatchObject({
      code: 0,
    });
    expect(await checkLogNow(of.organizationId)).toMatchObject({ wrong: null });
  }
});

test("a command that was killed between its steps is repeated, and a foreign key is refused", async () => {
  const seed = keyFile();
  // As after a kill before the new key replaced the other one.
  writeFileSync(file("audit-seal-before.key"), `${seed}\n`);
  await signedRequest(who);
  expect(keyFile()).toBe(seed);
  expect(replaceAuditSealKey(server.dataDir)).toBe(true);
  expect(auditSealKey(server.dataDir)).not.toBe(seed);
  expect(replaceAuditSealKey(server.dataDir)).toBe(false);
  await changed();
  await signedRequest(who);

  const { size } = await state(who);
  renameSync(file("audit-seal.key"), file("ours.key"));
  writeFileSync(file("audit-seal.key"), `${Buffer.alloc(32, 7).toString("base64")}\n`);
  await expect(server.cli("audit", "key", "rotate")).rejects.toThrow("does not sign the sealed logs");
  await who.api.get("/api-keys");
  await until("the worker says so", () => server.output().stderr.includes("this machine signs no checkpoints"));
  expect((await state(who)).size).toBe(size);
  renameSync(file("ours.key"), file("audit-seal.key"));
  await until("signing goes on", async () => (await state(who)).size > size);
  await signNow(server);
});
