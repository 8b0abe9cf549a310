import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { aged } from "@/e2e/audit/aging";
import { exportWhenFree } from "@/e2e/audit/export-files";
import { signNow, whenSigned } from "@/e2e/audit/sealed/sealing";
import { store } from "@/e2e/audit/store";
import { query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { newSession, type SignedIn } from "@/e2e/support/session";
import { until } from "@/e2e/support/until";
import { AuditEventDraft } from "@/lib/audit-logs/audit-event-draft";
import { checkLogNow } from "@/lib/audit-logs/check/check-logs";
import type { AuditEventWithBody } from "@/lib/audit-logs/contract";
import { scopeOf } from "@/lib/audit-logs/scope/scope";
import { expireSeals } from "@/lib/audit-logs/seal/expire-seals";
import { getSealedLog } from "@/lib/audit-logs/seal/get";
import { beginRound } from "@/lib/audit-logs/sign/begin-round";
import { completeRound } from "@/lib/audit-logs/sign/complete-round";
import { sealKey } from "@/lib/audit-logs/sign/seal-keys";
import { readSealedHeads } from "@/lib/audit-logs/sign/sealed-heads";
import { asNextSigner } from "@/lib/audit-logs/sign/signer-lock";
import { withAuditEvent } from "@/lib/audit-logs/write/commit-event";
import { enqueueOutbox } from "@/lib/audit-logs/write/outbox";
import { setPlan } from "@/lib/billing/set-plan";
import { auditPool } from "@/lib/db/audit";
import { withTransaction } from "@/lib/db/connections";
import { readBatch } from "@/lib/destinations/batches/read-batch";
import { systemPrincipal } from "@/lib/http/principal";
import { newIdAt } from "@/lib/ids";
import { DAY_MS, MINUTE_MS } from "@/lib/time/units";
import { verify, verifyProof } from "@/public/sealwatch-verify.mjs";
import { auditSealKey } from "@/server/data-dir";

const server = sharedServer();
const never = new AbortController().signal;
const audit = (text: string, values: unknown[]) => query(server, "audit", text, values);

const stateOf = ({ organizationId }: SignedIn) => getSealedLog(systemPrincipal(organizationId));
const vkeyOf = async (who: SignedIn) => (await stateOf(who)).vkey ?? "";
const bundleOf = async (who: SignedIn, options: Record<string, string> = {}) =>
  (await exportWhenFree(server, who, { format: "ndjson", include: "seal", ...options })).read();

/** A person's organization with sealed events; the ids in their order. */
async function withEvents(count: number): Promise<{ who: SignedIn; ids: string[] }> {
  const who = await newSession(server);
  const rows = Array.from(
    { length: count },
    (_, number) =>
      new AuditEventDraft({
        organization_id: who.organizationId,
        ...{ method: "GET", path: `/number/${number}`, status_code: 200, details: { number, none: null } },
      }).row,
  );
  await store(rows);
  const ids = rows.map(({ id }) => id);
  await signNow(server);
  await whenSigned(who.organizationId, ids);
  return { who, ids };
}

describe("a sealed export", () => {
  test("is verified as a whole, bodies included, and a change in the database is found with its index", async () => {
    const { who, ids } = await withEvents(300);
    const { requestId } = await who.api.post("/audit-logs/views", { name: "Zoë 😀" });
    await signNow(server);
    await whenSigned(who.organizationId, [requestId]);
    const vkey = await vkeyOf(who);
    const good = await bundleOf(who);
    expect(good.toString()).toContain("Zoë 😀");
    expect(await verify([good], { vkey })).toMatchObject({ code: 0, open: [] });
    const { seal } = (await who.api.get<AuditEventWithBody>(`/audit-logs/${ids[7]}`)).data;

    const changed = [who.organizationId, ids[7]];
    await audit("UPDATE audit_events SET path = path || 'x' WHERE organization_id = $1 AND id = $2", changed);
    expect(await verify([good], { vkey })).toMatchObject({ code: 0 });
    expect(await verify([await bundleOf(who)], { vkey })).toMatchObject({ code: 1, index: seal?.index });

    await audit("DELETE FROM audit_events WHERE organization_id = $1 AND id = $2", changed);
    expect(await verify([await bundleOf(who)], { vkey })).toMatchObject({ code: 1, index: seal?.index });
  });

  test("of a quiet log, whose rows have one event each, is verified too, and a change far inside it is found", async () => {
    const who = await newSession(server);
    const { organizationId } = who;
    const rows = Array.from({ length: 1_100 }, (_, at) => aged(organizationId, 30, (2_000 - at) * 15 * MINUTE_MS));
    await store(rows);
    const ids = rows.map(({ id }) => id);
    await signNow(server);
    await whenSigned(organizationId, ids);
    const text = "SELECT FROM audit_seals WHERE organization_id = $1";
    expect((await audit(text, [organizationId])).length).toBeGreaterThan(1_100);
    const vkey = await vkeyOf(who);
    expect(await verify([await bundleOf(who)], { vkey })).toMatchObject({ code: 0, open: [] });
    expect((await checkLogNow(organizationId)).wrong).toBeNull();

    const { seal } = (await who.api.get<AuditEventWithBody>(`/audit-logs/${ids[1_060]}`)).data;
    const changed = "UPDATE audit_events SET path = '/changed' WHERE organization_id = $1 AND id = $2";
    await audit(changed, [organizationId, ids[1_060]]);
    expect(await verify([await bundleOf(who)], { vkey })).toMatchObject({ code: 1, index: seal?.index });
    expect((await checkLogNow(organizationId)).wrong).toMatchObject({ index: seal?.index });
  });

  test("has events that were stored hours late, without anything wrong", async () => {
    const { who } = await withEvents(1);
    const known = { organization_id: who.organizationId, method: "GET", path: "/late", status_code: 200 };
    const late = { ...new AuditEventDraft(known).row, id: newIdAt(Date.now() - 3 * 3_600_000) };
    await enqueueOutbox([{ row: late, body: null }]);
    await until("the worker has stored it", async () => {
      return (
        (
          await audit("SELECT FROM audit_events WHERE organization_id = $1 AND id = $2", [
            known.organization_id,
            late.id,
          ])
        ).length > 0
      );
    });
    await signNow(server);
    await whenSigned(who.organizationId, [late.id]);
    const bundle = await bundleOf(who);
    expect(bundle.includes(late.id)).toBe(true);
    expect(await verify([bundle], { vkey: await vkeyOf(who) })).toMatchObject({ code: 0, open: [] });
    expect((await checkLogNow(who.organizationId)).wrong).toBeNull();
  });

  test("needs no other filter, only NDJSON, and a first checkpoint", async () => {
    const who = await newSession(server);
    const refusal = async (options: string) =>
      (await who.api.get(`/audit-logs/export?include=seal&${options}`)).error.message;
    expect(await refusal("format=csv")).toContain("include");
    expect(await refusal("format=ndjson&status=200")).toContain("status");
    expect(await refusal("format=ndjson&epoch=2")).toContain("is not an epoch of this log");
    expect((await who.api.get("/audit-logs/export?format=ndjson&epoch=1")).error.message).toContain("include=seal");
  });

  test("of a time of sealing proves what is in front of it and behind it by their hashes", async () => {
    const { who } = await withEvents(100);
    const middle = new Date().toISOString();
    const { requestId } = await who.api.get("/api-keys");
    await signNow(server);
    await whenSigned(who.organizationId, [requestId]);
    const vkey = await vkeyOf(who);
    const later = await bundleOf(who, { since: middle });
    expect(later.toString()).toContain(requestId);
    expect(later.toString()).not.toContain("/number/3");
    const result = await verify([later], { vkey });
    // Without a witness, the times of the range are the operator's word.
    expect([result.code, result.remarks.join()]).toEqual([0, expect.stringContaining("clock")]);
    const earlier = await verify([await bundleOf(who, { until: middle })], { vkey });
    expect([earlier.code, earlier.remarks.join()]).toEqual([0, expect.stringContaining("clock")]);
  });

  test("of a time that ends before a change of the plan, or begins after it, has the change", async () => {
    const who = await newSession(server);
    const { organizationId } = who;
    const principal = systemPrincipal(organizationId);
    const old = aged(organizationId, 30, 40 * DAY_MS);
    await store([old]);
    await signNow(server);
    await whenSigned(organizationId, [old.id]);
    const middle = new Date().toISOString();
    // As retention does under the plan until now.
    await audit("DELETE FROM audit_events WHERE organization_id = $1 AND id = $2", [organizationId, old.id]);
    await withAuditEvent({ action: "organization.set_plan", principal }, () =>
      setPlan(principal, { plan: "business" }),
    );
    const text = "SELECT id FROM audit_events WHERE organization_id = $1 AND 'plan_changed' = ANY(flags)";
    const [change] = await query<{ id: string }>(server, "audit", text, [organizationId]);
    await signNow(server);
    await whenSigned(organizationId, [change?.id ?? ""]);
    const later = new Date().toISOString();
    const { requestId } = await who.api.get("/api-keys");
    await signNow(server);
    await whenSigned(organizationId, [requestId]);
    const vkey = await vkeyOf(who);
    const early = await bundleOf(who, { until: middle });
    expect(early.toString()).toContain(`{"thin":`);
    const expired = expect.stringContaining("1 entry had expired");
    expect(await verify([early], { vkey })).toMatchObject({ code: 0, remarks: expect.arrayContaining([expired]) });
    const late = await bundleOf(who, { since: later });
    expect(await verify([late], { vkey })).toMatchObject({ code: 0, open: [] });
    for (const bundle of [early, late]) {
      const beside = bundle
        .toString()
        .split("\n")
        .filter((line) => line.startsWith('{"also":'));
      expect(beside.map((line) => JSON.parse(line).also.id)).toEqual([change?.id]);
    }
  });

  test("and a destination tell what expired under an earlier plan from what is missing", async () => {
    const who = await newSession(server);
    const { organizationId } = who;
    const principal = systemPrincipal(organizationId);
    const [old, recent] = [aged(organizationId, 30, 40 * DAY_MS), aged(organizationId, 30, DAY_MS)];
    await store([old, recent]);
    await withAuditEvent({ action: "organization.set_plan", principal }, () =>
      setPlan(principal, { plan: "business" }),
    );
    const { requestId } = await who.api.get("/api-keys");
    await signNow(server);
    await whenSigned(organizationId, [old.id, recent.id, requestId]);
    await audit("DELETE FROM audit_events WHERE organization_id = $1 AND id = ANY($2)", [
      organizationId,
      [old.id, recent.id],
    ]);
    const lines = (await bundleOf(who))
      .toString()
      .split("\n")
      .filter((line) => line.startsWith('{"thin":'));
    const thin = lines.map(
      (line) => (JSON.parse(line) as { thin: { index: number; id: string; reason: string } }).thin,
    );
    expect(new Map(thin.map(({ id, reason }) => [id, reason]))).toEqual(
      new Map([
        [old.id, "expired"],
        [recent.id, "missing"],
      ]),
    );
    const query = { organizationId, filters: {}, kept: await scopeOf(organizationId), maxEvents: 100, until: null };
    const read = await readBatch(auditPool(), { ...query, needsProof: false }, { epoch: 1, next: 0, scanned: 0 });
    const said = thin.map(({ index }) => read?.batch?.omitted.find(({ first, end }) => first <= index && index < end));
    expect(said.map((range) => range?.reason)).toEqual(thin.map(({ reason }) => reason));
    expect(read?.expired).toBe(1);
  });

  test("is consistent with every earlier checkpoint, also when seals have expired", async () => {
    const { who, ids } = await withEvents(90);
    const { organizationId } = who;
    const { checkpoint, vkey, size } = await stateOf(who);
    await audit(
      "UPDATE audit_seal_checkpoints SET signed_at = signed_at - interval '40 days' WHERE organization_id = $1",
      [organizationId],
    );
    await store([new AuditEventDraft({ organization_id: organizationId, method: "GET", path: "/later" }).row]);
    await signNow(server);
    await until("the log has grown", async () => (await stateOf(who)).size > size);
    const given = { vkey: vkey ?? "", checkpoints: [checkpoint ?? ""] };
    expect(await verify([await bundleOf(who)], given)).toMatchObject({ code: 0 });

    const expired = await query<{ first_index: string }>(
      server,
      "audit",
      `UPDATE audit_seals SET filed_at = filed_at - interval '40 days'
       WHERE organization_id = $1 AND first_index < $2 RETURNING first_index`,
      [organizationId, 64],
    );
    expect(expired.length).toBeGreaterThan(0);
    const from = (await stateOf(who)).oldest_index ?? 0;
    // A turn ends after each row, and the run when nothing is left.
    let turns = 0;
    await expireSeals(never, () => turns++, { step: 1, turnMs: 0 });
    expect(turns).toBeGreaterThan(0);
    const { oldest_index, size: end } = await stateOf(who);
    await expireSeals(never);
    expect((await stateOf(who)).oldest_index).toBe(oldest_index);
    expect(oldest_index).toBeGreaterThan(from);
    const proof = await who.api.get<{ hashes: string[] }>(`/audit-logs/consistency?from=${oldest_index}&to=${end}`);
    expect(proof.status).toBe(200);
    const kept = await verify([await bundleOf(who)], given);
    // What is in front was deleted: only somebody outside could tell that this was due.
    expect(kept.code).toBe(2);
    const { data } = await who.api.get<AuditEventWithBody>(`/audit-logs/${ids.at(-1)}`);
    const text = await proofOf(who, ids.at(-1) ?? "");
    expect(await verifyProof(text, JSON.stringify(data), { vkey: vkey ?? "" })).toMatchObject({ code: 0 });
  });
});

async function proofOf(who: SignedIn, id: string): Promise<string> {
  const answer = await fetch(`${server.url}/api/v1/audit-logs/${id}/proof`, { headers: { cookie: who.cookie } });
  expect(answer.status).toBe(200);
  return answer.text();
}

describe("a proof", () => {
  test("shows that one event is in the log, with nothing but the event and the key", async () => {
    const { who, ids } = await withEvents(70);
    const vkey = await vkeyOf(who);
    for (const id of [ids[0] ?? "", ids[69] ?? ""]) {
      const event = (await who.api.get<AuditEventWithBody>(`/audit-logs/${id}`)).data;
      const proof = await proofOf(who, id);
      expect(await verifyProof(proof, JSON.stringify(event), { vkey })).toMatchObject({ code: 0 });
      const forged = { ...event, response: { ...event.response, status_code: 403 } };
      expect(await verifyProof(proof, JSON.stringify(forged), { vkey })).toMatchObject({ code: 1 });
    }
  });

  test("is not given to others, and not before a checkpoint covers the event", async () => {
    const { ids } = await withEvents(1);
    const { who: other } = await withEvents(1);
    expect((await other.api.get(`/audit-logs/${ids[0]}/proof`)).status).toBe(404);
    const row = new AuditEventDraft({ organization_id: other.organizationId, method: "GET", path: "/fresh" }).row;
    const early = await withTransaction(auditPool(), async (client) => {
      // Neither sealed nor signed meanwhile.
      await client.query("SELECT FROM audit_seal_logs WHERE organization_id = $1 FOR UPDATE", [other.organizationId]);
      await store([row]);
      return other.api.get(`/audit-logs/${row.id}/proof`);
    });
    expect([early.status, early.error.code]).toEqual([409, "NOT_SEALED_YET"]);
    await signNow(server);
    await whenSigned(other.organizationId, [row.id]);
    expect(await proofOf(other, row.id)).toContain("c2sp.org/tlog-proof@v1");
  });
});

describe("checkpoints", () => {
  test("are listed, and consistency is proved between any two sizes", async () => {
    const { who } = await withEvents(20);
    // Between the two readings the worker may sign another.
    const size = await until("both have the same checkpoint", async () => {
      const { data } = await who.api.get<{ size: number; checkpoint: string }[]>("/audit-logs/checkpoints");
      const { size, checkpoint } = await stateOf(who);
      expect(data[0]).toMatchObject({ size, checkpoint });
      return size;
    });
    const proof = await who.api.get<{ hashes: string[] }>(`/audit-logs/consistency?from=3&to=${size}`);
    expect(proof.data.hashes.length).toBeGreaterThan(0);
    expect((await who.api.get(`/audit-logs/consistency?from=0&to=${size + 1_000_000}`)).status).toBe(400);
    for (const from of ["", "1e0", "0x1", "1.5", "-1", " 1"]) {
      const refused = await who.api.get(`/audit-logs/consistency?${new URLSearchParams({ from, to: `${size}` })}`);
      expect([from, refused.status, refused.error.issues?.map(({ path }) => path)]).toEqual([from, 400, ["from"]]);
    }
    const missing = await who.api.get(`/audit-logs/consistency?to=${size}`);
    expect(missing.error.issues).toEqual([{ path: "from", message: "must be a whole number" }]);
  });

  test("are not signed for a log that does not continue what was signed", async () => {
    const { who, ids } = await withEvents(10);
    const { organizationId } = who;
    const { size } = await stateOf(who);
    await audit(
      "UPDATE audit_seals SET commitments = set_byte(commitments, 0, get_byte(commitments, 0) # 1) WHERE organization_id = $1",
      [organizationId],
    );
    await audit(
      "UPDATE audit_seal_logs SET head_edge = set_byte(head_edge, 0, get_byte(head_edge, 0) # 1) WHERE organization_id = $1",
      [organizationId],
    );
    await store([new AuditEventDraft({ organization_id: organizationId, method: "GET", path: "/after" }).row]);
    await signNow(server);
    const state = await until("the log is refused", async () => {
      const now = await stateOf(who);
      return now.refused !== null && now;
    });
    expect(state).toMatchObject({ size, refused: expect.stringContaining("not those that were signed") });
    expect((await who.api.get<AuditEventWithBody>(`/audit-logs/${ids[0]}`)).status).toBe(200);
  });

  test("go on after a worker that died between two steps of a round", async () => {
    const { who } = await withEvents(5);
    const { size, origin } = await stateOf(who);
    const host = origin?.split("/log/")[0] ?? "";
    await asNextSigner(async () => {
      await store([new AuditEventDraft({ organization_id: who.organizationId, method: "GET", path: "/after" }).row]);
      const { publicKey, privateKey } = sealKey(Buffer.from(auditSealKey(server.dataDir), "base64"));
      await until("a round with its head has begun", async () => {
        expect(await beginRound(host)).toMatchObject({ isBegun: true });
        const own = [who.organizationId, size];
        const taken = await audit("SELECT FROM audit_seal_logs WHERE organization_id = $1 AND head_size > $2", own);
        // An unfinished round, or one that left out the log because it was being sealed, is completed first.
        if (taken.length === 0) await completeRound(host, { current: { publicKey, privateKey }, before: null });
        return taken.length > 0;
      });
      // No key to sign with: it fails after the heads were advanced in the monitoring database.
      const broken = { publicKey, privateKey: generateKeyPairSync("x25519").privateKey };
      await expect(completeRound(host, { current: broken, before: null })).rejects.toThrow();
      expect((await readSealedHeads([who.organizationId])).get(who.organizationId)?.size).toBeGreaterThan(size);
      expect(await stateOf(who)).toMatchObject({ size });
    });
    await audit("INSERT INTO audit_seal_rounds VALUES (0, 7, 1, '', '', 'of an epoch before')", []);
    await signNow(server);
    await until("a checkpoint covers all", async () => (await stateOf(who)).size > size);
    expect(await verify([await bundleOf(who)], { vkey: await vkeyOf(who) })).toMatchObject({ code: 0 });
    const rounds = () => query<{ epoch: number }>(server, "audit", "SELECT DISTINCT epoch FROM audit_seal_rounds");
    await until("old rounds are deleted", async () => (await rounds()).every(({ epoch }) => epoch === 1));
    expect(await rounds()).toEqual([{ epoch: 1 }]);
  });
});
