import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { exportWhenFree, parseNdjson } from "@/e2e/audit/export-files";
import { signNow, whenSigned } from "@/e2e/audit/sealed/sealing";
import { query } from "@/e2e/support/servers/databases";
import { hasPython } from "@/e2e/support/servers/program";
import { sharedServer } from "@/e2e/support/servers/shared";
import { newSession, type SignedIn } from "@/e2e/support/session";
import { until } from "@/e2e/support/until";
import { AuditEventDraft } from "@/lib/audit-logs/audit-event-draft";
import { readEntries } from "@/lib/audit-logs/bundle/read-entries";
import { checkLogNow } from "@/lib/audit-logs/check/check-logs";
import type { AuditEvent, AuditEventWithBody } from "@/lib/audit-logs/contract";
import { type RedactionRequest, redactEvent } from "@/lib/audit-logs/redact/redact-event";
import { scopeOf } from "@/lib/audit-logs/scope/scope";
import { findSeals } from "@/lib/audit-logs/seal/find-seals";
import { getSealedLog } from "@/lib/audit-logs/seal/get";
import { append } from "@/lib/audit-logs/write/append";
import { auditPool } from "@/lib/db/audit";
import { withTransaction } from "@/lib/db/connections";
import { systemPrincipal } from "@/lib/http/principal";
import { newId } from "@/lib/ids";
import { verify, verifyProof } from "@/public/sealwatch-verify.mjs";

const server = sharedServer();
const SECRET = "a name that must be forgotten";

const audit = <Row extends object>(text: string, values: unknown[]) => query<Row>(server, "audit", text, values);
const app = <Row extends object>(text: string, values: unknown[]) => query<Row>(server, "app", text, values);

const vkeyOf = async ({ organizationId }: SignedIn) => (await getSealedLog(systemPrincipal(organizationId))).vkey ?? "";
const fileOf = async (who: SignedIn, options: Record<string, string>) =>
  (await exportWhenFree(server, who, options)).read();
const bundleOf = (who: SignedIn, options: Record<string, string> = {}) =>
  fileOf(who, { format: "ndjson", include: "seal", ...options });
const eventOf = async (who: SignedIn, id: string) => (await who.api.get<AuditEventWithBody>(`/audit-logs/${id}`)).data;

interface State {
  id: string;
  part: string;
  request_id: string;
  requested_at: string;
  redacted_at: string | null;
}
const ask = (who: SignedIn, id: string, part = "body", reason = "Asked for by the person") =>
  who.api.post<State>(`/audit-logs/${id}/redact`, { part, reason });

/** A person's organization with a signed event that has a body, stored with a copy of its response for repetitions. */
async function withBody(): Promise<{ who: SignedIn; id: string }> {
  const who = await newSession(server);
  const body = { name: SECRET, query: {} };
  const { requestId } = await who.api.post("/audit-logs/views", body, { headers: { "idempotency-key": newId() } });
  await signNow(server);
  await whenSigned(who.organizationId, [requestId]);
  return { who, id: requestId };
}

/** Asks for a redaction, and waits until the worker has done it. Returns the event of the request. */
async function redact(who: SignedIn, id: string, part: "body" | "caller" = "body"): Promise<string> {
  const asked = await ask(who, id, part);
  expect([asked.status, asked.data.redacted_at], asked.text).toEqual([202, null]);
  await signNow(server);
  await until("the part is redacted", async () => (await ask(who, id, part)).data.redacted_at !== null);
  return asked.requestId;
}

const PYTHON = "server/testing/sealed-log/verify.py";
const folder = mkdtempSync(join(tmpdir(), "sealwatch-redaction-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** The verdict of the second verifier; null on a machine without Python. */
function python(bundle: Buffer, options: object): Promise<number | null> {
  const [file, given] = [join(folder, newId()), join(folder, newId())];
  writeFileSync(file, bundle);
  writeFileSync(given, JSON.stringify({ now: Date.now(), ...options }));
  return new Promise((resolve) => {
    if (!hasPython()) return resolve(null);
    execFile("python3", [PYTHON, file, given], (error) => resolve(error === null ? 0 : Number(error.code)));
  });
}

describe("a redacted body", () => {
  test("is gone everywhere, and the log still proves the rest", async () => {
    const { who, id } = await withBody();
    const vkey = await vkeyOf(who);
    const old = await bundleOf(who);
    expect(old.toString()).toContain(SECRET);
    const by = await redact(who, id);

    const event = await eventOf(who, id);
    expect(event).toMatchObject({
      request: { method: "POST", body: null, body_encoding: null },
      authentication: { user: { id: who.userId } },
      seal: { redaction: { body: { id: by, at: expect.any(String) } } },
    });
    const { request, ...rest } = event;
    const { body: _, body_encoding: __, ...listed } = request ?? {};
    const found = await who.api.get<AuditEvent[]>(`/audit-logs?id=${id}`);
    expect(found.data).toEqual([{ ...rest, request: listed }]);
    const exported = parseNdjson(await fileOf(who, { format: "ndjson", include: "body", id }));
    expect(exported.events).toEqual([event]);
    const [names = "", values = ""] = (await fileOf(who, { format: "csv", include: "body", id }))
      .toString()
      .split("\r\n");
    expect(values.split(",")[names.split(",").indexOf("seal_redaction")]).toBe("body");

    const kept = await app(
      "SELECT FROM idempotent_requests WHERE attempt = $1 AND (body IS NOT NULL OR fingerprint <> '')",
      [id],
    );
    expect(kept).toEqual([]);
    expect(await audit("SELECT FROM audit_bodies WHERE id = $1", [id])).toEqual([]);
    const redacting = await eventOf(who, by);
    expect(redacting).toMatchObject({
      resource: { type: "audit_log", id, action: "audit_log.redact" },
      details: { part: "body", reason: "Asked for by the person" },
      security: { flags: ["audit_redacted"] },
    });

    const bundle = await bundleOf(who);
    const line =
      bundle
        .toString()
        .split("\n")
        .find((each) => each.startsWith(`{"id":"${id}"`)) ?? "{}";
    // What is not shown is absent. The recorded changes repeat the name: they are another part.
    expect(Object.keys(JSON.parse(line).request)).not.toContain("body");
    const result = await verify([bundle], { vkey });
    expect([result.code, result.remarks.join()]).toEqual([0, expect.stringContaining("1 entry was redacted, by #")]);
    expect([0, null]).toContain(await python(bundle, { vkey }));
    expect(await verify([old], { vkey })).toMatchObject({ code: 0 });
    expect((await checkLogNow(who.organizationId)).wrong).toBeNull();
  });

  test("has a proof that shows the other parts, and asks for a bundle to prove its redaction", async () => {
    const { who, id } = await withBody();
    await redact(who, id);
    const answer = await fetch(`${server.url}/api/v1/audit-logs/${id}/proof`, { headers: { cookie: who.cookie } });
    const proof = await answer.text();
    const event = await eventOf(who, id);
    const vkey = await vkeyOf(who);
    const result = await verifyProof(proof, JSON.stringify(event), { vkey });
    expect([result.code, result.open]).toEqual([2, [expect.stringContaining("shown by a bundle only")]]);
    const forged = { ...event, response: { ...event.response, status_code: 403 } };
    expect(await verifyProof(proof, JSON.stringify(forged), { vkey })).toMatchObject({ code: 1 });
  });

  test("is proved by its redaction also where that is outside of the range", async () => {
    const { who, id } = await withBody();
    const until = new Date().toISOString();
    const by = await redact(who, id);
    const bundle = await bundleOf(who, { until });
    const also = bundle
      .toString()
      .split("\n")
      .filter((line) => line.startsWith('{"also"'));
    expect(also.map((line) => JSON.parse(line).also.id)).toEqual([by]);
    const vkey = await vkeyOf(who);
    expect(await verify([bundle], { vkey })).toMatchObject({ code: 0 });
    expect([0, null]).toContain(await python(bundle, { vkey }));
    const lines = bundle
      .toString()
      .split("\n")
      .filter((line) => !line.startsWith('{"also"'));
    expect(
      await verify(
        [lines.join("\n")].map((text) => Buffer.from(text)),
        { vkey },
      ),
    ).toMatchObject({ code: 1 });
  });

  test("stays redacted after a worker that died before or after it had committed", async () => {
    const { who, id } = await withBody();
    const { organizationId } = who;
    // The worker does not take the request meanwhile.
    const asked = await ask(who, id);
    const postpone = "UPDATE redaction_requests SET next_at = now() + interval '1 day' WHERE organization_id = $1";
    const request = {
      organization_id: organizationId,
      event_id: id,
      part: "body" as const,
      request_id: asked.requestId,
    };
    await app(postpone, [organizationId]);
    await signNow(server);
    await whenSigned(organizationId, [asked.requestId]);
    const died = withTransaction(auditPool(), async (client) => {
      expect(await redactEvent(client, request)).toBe("redacted");
      throw new Error("killed");
    });
    await expect(died).rejects.toThrow("killed");
    expect((await checkLogNow(organizationId)).wrong).toBeNull();
    const isDone =
      (
        await app("SELECT FROM redaction_requests WHERE organization_id = $1 AND redacted_at IS NOT NULL", [
          organizationId,
        ])
      ).length > 0;
    if (!isDone) expect((await eventOf(who, id)).request?.body).toContain(SECRET);

    const once = () => withTransaction(auditPool(), (client) => redactEvent(client, request));
    expect(await once()).toBe("redacted");
    const kept = () => audit("SELECT * FROM audit_redactions WHERE organization_id = $1", [organizationId]);
    const first = await kept();
    expect(await once()).toBe("redacted");
    expect(await kept()).toEqual(first);
    await app("UPDATE redaction_requests SET next_at = now() WHERE organization_id = $1", [organizationId]);
    await until("the worker completes it", async () => (await ask(who, id)).data.redacted_at !== null);
    expect(await kept()).toEqual(first);
    expect((await checkLogNow(organizationId)).wrong).toBeNull();
    expect(await verify([await bundleOf(who)], { vkey: await vkeyOf(who) })).toMatchObject({ code: 0 });
  });
});

describe("a redacted caller", () => {
  const ADDRESS = "198.51.100.77";

  /** Counts that name the key or its address, by dimension and value, in both stores. */
  const counts = (organizationId: string, needles: string[]) =>
    audit<{ dimension: string; value: string; grain: string; events: number }>(
      `SELECT grain, dimension, value, sum(events)::integer AS events FROM (
         SELECT grain, dimension, value, events FROM audit_rollups WHERE organization_id = $1
         UNION ALL SELECT grain, dimension, value, each.events FROM audit_deltas
           CROSS JOIN LATERAL unnest(dimensions, "values", audit_deltas.events) AS each (dimension, value, events)
           CROSS JOIN (VALUES ('hour'), ('day')) AS grains (grain)
           WHERE organization_id = $1 AND (grain = 'day' OR NOT starts_with(dimension, 'key_'))
       ) AS counted WHERE concat(dimension, ' ', value) ~ $2 GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
      [organizationId, needles.join("|")],
    );

  test("is gone with all that is derived from it, the counts of others stay, and the log proves the rest", async () => {
    const { who } = await withBody();
    const { organizationId } = who;
    const known = {
      ...{ organization_id: organizationId, method: "POST", path: "/api/v1/things", route: "/api/v1/things" },
      ...{
        body_size: 4,
        auth_type: "api_key" as const,
        status_code: 200,
        response_time_us: 1_500,
        user_agent: "agent-77",
      },
      ...{ api_key_name: "Key of Zoë", api_key_hint: "sw_Ab…x9Zk", country: "NZ", action: "api_key.get" as const },
      ...{ rate_limit_remaining: 7 },
    };
    const [key, other] = [newId(), newId()];
    const target = new AuditEventDraft({ ...known, api_key_id: key, ip_address: ADDRESS }).row;
    const others = [
      new AuditEventDraft({ ...known, api_key_id: other, ip_address: ADDRESS }).row,
      new AuditEventDraft({ ...known, api_key_id: other, ip_address: "198.51.100.78" }).row,
    ];
    await append(
      auditPool(),
      [target, ...others].map((row) => ({ row, body: Buffer.from("body") })),
    );
    await signNow(server);
    await whenSigned(organizationId, [target.id]);
    const names = [key, other, ADDRESS.replaceAll(".", "\\."), "^(read_)?country"];
    const before = await counts(organizationId, names);
    const by = await redact(who, target.id, "caller");

    const event = await eventOf(who, target.id);
    expect(event).toMatchObject({
      ...{ authentication: null, client: null, request: { body: "body" } },
      seal: { redaction: { body: null, caller: { id: by } } },
    });
    const { request, ...rest } = event;
    const { body: _, body_encoding: __, ...listed } = request ?? {};
    expect((await who.api.get<AuditEvent[]>(`/audit-logs?id=${target.id}`)).data).toEqual([
      { ...rest, request: listed },
    ]);
    const exported = parseNdjson(await fileOf(who, { format: "ndjson", include: "body", id: target.id }));
    expect(exported.events).toEqual([event]);
    for (const filter of [
      `api_key_id=${key}`,
      `ip=${ADDRESS}`,
      "ip=198.51.100.0/24",
      "country=NZ",
      "user_agent=agent-77",
      "q=agent-77",
      "auth_type=api_key",
    ]) {
      const { data } = await who.api.get<AuditEvent[]>(`/audit-logs?${filter}`);
      expect([filter, data.some(({ id }) => id === target.id)]).toEqual([filter, false]);
      if (!filter.startsWith("api_key_id")) expect([filter, data.length > 0]).toEqual([filter, true]);
    }
    const stored = await audit<{ text: string }>(
      "SELECT concat(e.*) AS text FROM audit_events e WHERE organization_id = $1 AND id = $2",
      [organizationId, target.id],
    );
    for (const gone of [key, ADDRESS, "198.51.100", "NZ", "agent-77", "Zoë", "sw_Ab"])
      expect([gone, stored[0]?.text.includes(gone)]).toEqual([gone, false]);
    expect(await audit("SELECT FROM audit_sightings WHERE event_id = $1", [target.id])).toEqual([]);

    // Exactly its own share of the counts is gone; values of nobody else are not there with a zero.
    const share = before.flatMap((count) => {
      const isOfKey = count.dimension.endsWith(key) || count.value === key;
      const isShared =
        count.dimension === "ip" ? count.value === ADDRESS : count.dimension === "country" && count.value === "NZ";
      const events = count.events - (isOfKey || isShared ? 1 : 0);
      return events === 0 ? [] : [{ ...count, events }];
    });
    expect(share.length).toBeLessThan(before.length);
    expect(await counts(organizationId, names)).toEqual(share);

    const vkey = await vkeyOf(who);
    const bundle = await bundleOf(who);
    // The search above is an event with the key in its query.
    const lines = bundle.toString().split("\n");
    const [line = ""] = lines.filter((each) => each.startsWith(`{"id":"${target.id}"`));
    expect([line !== "", line.includes(key)]).toEqual([true, false]);
    expect(await verify([bundle], { vkey })).toMatchObject({ code: 0, open: [] });
    expect([0, null]).toContain(await python(bundle, { vkey }));
    expect((await checkLogNow(organizationId)).wrong).toBeNull();
    const answer = await fetch(`${server.url}/api/v1/audit-logs/${target.id}/proof`, {
      headers: { cookie: who.cookie },
    });
    expect(await verifyProof(await answer.text(), JSON.stringify(event), { vkey })).toMatchObject({ code: 2 });

    // The body, too, by another event.
    const second = await redact(who, target.id);
    expect((await eventOf(who, target.id)).seal?.redaction).toMatchObject({ body: { id: second }, caller: { id: by } });
    expect(await verify([await bundleOf(who)], { vkey })).toMatchObject({ code: 0, open: [] });
    expect((await checkLogNow(organizationId)).wrong).toBeNull();

    // What somebody writes back is not what was sealed.
    await audit("UPDATE audit_events SET ip_address = '192.0.2.1' WHERE organization_id = $1 AND id = $2", [
      organizationId,
      target.id,
    ]);
    expect((await checkLogNow(organizationId)).wrong).toMatchObject({
      message: expect.stringContaining("was changed"),
    });
  });

  test("is refused for what Sealwatch did itself", async () => {
    const { who } = await withBody();
    const row = new AuditEventDraft({ organization_id: who.organizationId, auth_type: "system" }).row;
    await append(auditPool(), [{ row, body: null }]);
    await signNow(server);
    await whenSigned(who.organizationId, [row.id]);
    const answer = await ask(who, row.id, "caller");
    expect([answer.status, answer.error.code]).toEqual([409, "CONFLICT"]);
  });
});

const pidOf = (client: object) => (client as { processID: number }).processID;

/** A request to redact a body whose event is signed. Not by the API, so that the worker does not redact it first. */
async function signedRequest(organizationId: string, id: string): Promise<RedactionRequest> {
  const request = new AuditEventDraft({
    ...{ organization_id: organizationId, action: "audit_log.redact", resource_id: id, status_code: 202 },
    details: { part: "body" },
  }).row;
  await append(auditPool(), [{ row: request, body: null }]);
  await signNow(server);
  await whenSigned(organizationId, [request.id]);
  return { organization_id: organizationId, event_id: id, part: "body", request_id: request.id };
}

describe("a redaction", () => {
  /**
   * Redacts a body after a reader has read its seal, and before it reads the body. Returns what was read before, meanwhile and after.
   * Throws if a lock took too long.
   */
  async function redactWhileRead() {
    const { who, id } = await withBody();
    const { organizationId } = who;
    const [seal] = [...(await findSeals([{ organization_id: organizationId, id }])).values()];
    const { epoch = 0, index = 0 } = seal ?? {};
    const due = await signedRequest(organizationId, id);
    const kept = await scopeOf(organizationId);
    const read = async () => {
      const log = { organization_id: organizationId, epoch };
      return (await readEntries(log, { first: index, end: index + 1, filters: {}, kept }))[0]?.event;
    };
    const before = await read();
    const { reading, outcome } = await withTransaction(auditPool(), async (client) => {
      // All others who need the bodies wait behind it.
      await client.query("SET LOCAL lock_timeout = '500ms'");
      await client.query("LOCK TABLE audit_bodies IN ACCESS EXCLUSIVE MODE");
      const acquired = once(auditPool(), "acquire");
      const started = read();
      started.catch(() => {});
      const [reader] = await acquired;
      const waits = async () => {
        const text = "SELECT WHERE $1 = ANY (pg_blocking_pids($2))";
        return (await audit(text, [pidOf(client), pidOf(reader)])).length > 0;
      };
      await until("it waits for the bodies", waits, 3_000);
      return { reading: started, outcome: await redactEvent(client, due) };
    });
    return { before, meanwhile: await reading, after: await read(), outcome, by: due.request_id };
  }

  test("between the reading of a seal and of its body changes neither", async () => {
    const { before, meanwhile, after, outcome, by } = await until("no lock took too long", redactWhileRead);
    expect(outcome).toBe("redacted");
    expect(meanwhile).toEqual(before);
    expect(after?.seal.redaction).toMatchObject({ body: { id: by } });
  });

  test("is refused to read keys and others, and for events without a body or that the log itself needs", async () => {
    const { who, id } = await withBody();
    const { who: other } = await withBody();
    const missing = await ask(other, id);
    expect([missing.status, missing.error.code]).toEqual([404, "NOT_FOUND"]);
    const { requestId: read } = await who.api.get("/api-keys");
    const by = await redact(who, id);
    await signNow(server);
    await whenSigned(who.organizationId, [read, by]);
    const plan = new AuditEventDraft({ organization_id: who.organizationId, flags: ["plan_changed"], body_size: 1 })
      .row;
    await append(auditPool(), [{ row: plan, body: Buffer.from("x") }]);
    await signNow(server);
    await whenSigned(who.organizationId, [plan.id]);
    for (const [refused, message] of [
      [read, "no body"],
      [by, "sealed log itself"],
      [plan.id, "sealed log itself"],
    ] as const) {
      const answer = await ask(who, refused);
      expect([answer.status, answer.error.code]).toEqual([409, "CONFLICT"]);
      expect(answer.error.message).toContain(message);
    }
    expect((await ask(who, id, "outcome")).status).toBe(400);
    expect((await ask(who, id, "body", " ")).status).toBe(400);
    const requests = await app("SELECT event_id FROM redaction_requests WHERE organization_id = $1", [
      who.organizationId,
    ]);
    expect(requests).toEqual([{ event_id: id }]);
  });

  test("waits until its event is sealed, and repeats as the first one", async () => {
    const { who } = await withBody();
    const row = new AuditEventDraft({ organization_id: who.organizationId, method: "POST", path: "/fresh" }).row;
    const early = await withTransaction(auditPool(), async (client) => {
      // Neither sealed nor signed meanwhile.
      await client.query("SELECT FROM audit_seal_logs WHERE organization_id = $1 FOR UPDATE", [who.organizationId]);
      await append(auditPool(), [{ row, body: Buffer.from("x") }]);
      return ask(who, row.id);
    });
    expect([early.status, early.error.code]).toEqual([409, "NOT_SEALED_YET"]);
    await signNow(server);
    await whenSigned(who.organizationId, [row.id]);
    const first = await redact(who, row.id);
    const again = await ask(who, row.id);
    expect(again.data).toMatchObject({ id: row.id, part: "body", request_id: first });
    expect((await eventOf(who, row.id)).seal?.redaction?.body?.id).toBe(first);
  });

  test("that is signed before its event waits for that, too", async () => {
    const { who } = await withBody();
    const { organizationId } = who;
    const row = new AuditEventDraft({ organization_id: organizationId, method: "POST", path: "/later" }).row;
    const due = await signedRequest(organizationId, row.id);
    const redact = () => withTransaction(auditPool(), (client) => redactEvent(client, due));
    const early = await withTransaction(auditPool(), async (client) => {
      // Neither sealed nor signed meanwhile.
      await client.query("SELECT FROM audit_seal_logs WHERE organization_id = $1 FOR UPDATE", [organizationId]);
      await append(auditPool(), [{ row, body: Buffer.from("x") }]);
      return redact();
    });
    expect(early).toBe("waiting");
    await signNow(server);
    await whenSigned(organizationId, [row.id]);
    expect(await redact()).toBe("redacted");
    expect(await audit("SELECT FROM audit_bodies WHERE id = $1", [row.id])).toEqual([]);
  });

  test("whose request failed after its commit redacts nothing and is dropped", async () => {
    const { who, id } = await withBody();
    const failed = new AuditEventDraft({
      ...{ organization_id: who.organizationId, method: "POST", path: "/redact", action: "audit_log.redact" },
      ...{ resource_type: "audit_log", resource_id: id, details: { part: "body", reason: "x" } },
      ...{ status_code: 503, error_code: "UNAVAILABLE" },
    }).row;
    await append(auditPool(), [{ row: failed, body: null }]);
    await app(
      "INSERT INTO redaction_requests (organization_id, event_id, part, request_id, requested_at, next_at) VALUES ($1, $2, 'body', $3, now(), now())",
      [who.organizationId, id, failed.id],
    );
    await signNow(server);
    const left = () => app("SELECT FROM redaction_requests WHERE organization_id = $1", [who.organizationId]);
    await until("the request is dropped", async () => (await left()).length === 0);
    expect((await eventOf(who, id)).request?.body).toContain(SECRET);
  });
});

describe("without a sealed redaction", () => {
  test("whose event was lost is dropped", async () => {
    const { who, id } = await withBody();
    await app(
      `INSERT INTO redaction_requests (organization_id, event_id, part, request_id, requested_at, next_at)
       VALUES ($1, $2, 'body', $3, now() - interval '2 hours', now())`,
      [who.organizationId, id, newId()],
    );
    const left = () => app("SELECT FROM redaction_requests WHERE organization_id = $1", [who.organizationId]);
    await until("it is dropped", async () => (await left()).length === 0);
    expect((await eventOf(who, id)).request?.body).not.toBeNull();
  });

  test("a deleted body is found, by the self-check and by verifiers", async () => {
    const { who, id } = await withBody();
    await audit("DELETE FROM audit_bodies WHERE id = $1", [id]);
    const index = (await findSeals([{ organization_id: who.organizationId, id }])).get(id)?.index;
    const message = expect.stringContaining("was changed after it was sealed");
    expect((await checkLogNow(who.organizationId)).wrong).toEqual({ index, message });
    expect(await verify([await bundleOf(who)], { vkey: await vkeyOf(who) })).toMatchObject({ code: 1, index });
  });

  test.each(["no event", "the redaction of another event"])("what looks like one with %s is found", async (kind) => {
    const { who, id } = await withBody();
    const { organizationId } = who;
    const { requestId: another } = await who.api.post("/audit-logs/views", { name: "Another", query: {} });
    await signNow(server);
    await whenSigned(organizationId, [another]);
    await redact(who, another);
    const at = (await findSeals([{ organization_id: organizationId, id }])).get(id);
    // The same as the worker does, with the redaction of the other event.
    const forged =
      kind === "no event"
        ? "jsonb_set(redactions, '{body,id}', to_jsonb($4::text))"
        : "redactions || jsonb_build_object('x', $4::text) - 'x'";
    await audit(
      `WITH salts AS (
         SELECT sha512(substr(nonces, ($3::integer - first_index::integer) * 16 + 1, 16)) AS bytes FROM audit_seals
         WHERE organization_id = $1 AND $2 = ANY (ids)
       ), gone AS (DELETE FROM audit_bodies WHERE id = $2 RETURNING body)
       INSERT INTO audit_redactions (organization_id, event_id, epoch, index, salts, hashes, redactions)
       SELECT organization_id, $2, epoch, $3, jsonb_build_object(
           'request', encode(substr(bytes, 1, 16), 'base64'), 'caller', encode(substr(bytes, 33, 16), 'base64'),
           'outcome', encode(substr(bytes, 49, 16), 'base64')
         ), jsonb_build_object('body', encode(sha256(substr(bytes, 17, 16) || body), 'base64')), ${forged}
       FROM audit_redactions, salts, gone WHERE organization_id = $1`,
      [organizationId, id, at?.index, newId()],
    );
    const { index } = at ?? {};
    const message = expect.stringContaining("no sealed event redacted it");
    expect((await checkLogNow(organizationId)).wrong).toEqual({ index, message });
    const vkey = await vkeyOf(who);
    const bundle = await bundleOf(who);
    expect(await verify([bundle], { vkey })).toMatchObject({ code: 1, index });
    expect([1, null]).toContain(await python(bundle, { vkey }));
  });
});
