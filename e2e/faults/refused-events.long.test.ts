import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Api } from "@/e2e/support/api";
import type { Answer } from "@/e2e/support/http";
import { expectIntactLogs } from "@/e2e/support/intact-logs";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { eventById, query, whenDelivered } from "@/e2e/support/servers/databases";
import { type Sealwatch, startSealwatch } from "@/e2e/support/servers/sealwatch";
import { until } from "@/e2e/support/until";
import { AuditEventDraft } from "@/lib/audit-logs/audit-event-draft";
import { writer } from "@/lib/audit-logs/write/writer";

let server: Sealwatch;
let organization: Organization;
/** The organization whose request precedes a batch. */
let ahead: Api;

beforeAll(async () => {
  server = await startSealwatch();
  organization = await newOrganization(server);
  ahead = (await organization.newKey()).api;
});
afterAll(() => server.destroy());

/** Makes the audit database refuse rows that match a condition on NEW, until the returned function is called. */
async function refuse(condition: string, sqlState: string): Promise<() => Promise<void>> {
  const name = `refuse_${randomBytes(4).toString("hex")}`;
  await query(
    server,
    "audit",
    `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN IF ${condition} THEN RAISE EXCEPTION 'refused' USING ERRCODE = '${sqlState}'; END IF; RETURN NEW; END $$;
     CREATE TRIGGER ${name} BEFORE INSERT ON audit_events FOR EACH ROW EXECUTE FUNCTION ${name}()`,
  );
  return async () => {
    await query(server, "audit", `DROP FUNCTION ${name} CASCADE`);
  };
}

/** Sends requests whose events are in one batch: an earlier batch is blocked until all requests were read. */
async function inOneBatch(asks: (() => Promise<Answer>)[]): Promise<Answer[]> {
  const holder = new pg.Client({ connectionString: server.databases.audit });
  await holder.connect();
  await holder.query("BEGIN; LOCK TABLE audit_events IN ACCESS EXCLUSIVE MODE");
  // The worker may also wait, to read.
  const waiting =
    "SELECT FROM pg_locks WHERE NOT granted AND relation = 'audit_events'::regclass AND mode = 'RowExclusiveLock'";
  let first: Promise<Answer> | undefined;
  await until("the first event waits", async () => {
    // Right after a failure events go to the outbox without waiting.
    first = ahead.get("/api-keys");
    const waits = until("it waits", async () => (await query(server, "audit", waiting)).length > 0, 5_000);
    return Promise.race([
      first.then(() => false),
      waits.then(
        () => true,
        () => false,
      ),
    ]);
  });
  const answers = asks.map((ask) => ask());
  await until("the others were read", async () => (await fetch(`${server.url}/healthz`)).ok);
  await holder.query("COMMIT");
  await holder.end();
  expect((await first)?.status).toBe(200);
  return Promise.all(answers);
}

const long = randomBytes(6_000).toString("base64url");

test("only NUL bytes and half characters are lost from a text", async () => {
  const text = "a\0b\ud83d";
  const event = new AuditEventDraft({
    organization_id: organization.id,
    ...{ method: "GET", path: text, query: text, content_type: text, user_agent: text, error_message: text },
    ...{ resource_id: text, api_key_name: text, user_name: text, details: { text: [text] } },
  });
  const others = [new AuditEventDraft({ user_agent: "before" }), new AuditEventDraft({ user_agent: "after" })];
  const [before, after] = others;
  const entries = [before, event, after].flatMap((each) => (each ? { row: each.row, body: Buffer.from(text) } : []));
  await Promise.all(entries.map((entry) => writer().write(entry)));
  const kept = "a\ufffdb\ufffd";
  expect(await eventById(server, event.id)).toMatchObject({
    ...{ path: kept, query: kept, user_agent: kept, resource_id: kept, api_key_name: kept, details: { text: [kept] } },
    body: Buffer.from(text),
  });
  for (const { id, row } of others) expect((await eventById(server, id)).user_agent).toBe(row.user_agent);
});

describe("one event of a batch that the audit database refuses", () => {
  beforeAll(async () => {
    await query(
      server,
      "audit",
      `ALTER TABLE audit_events ADD CHECK (user_agent <> 'refused by a check') NOT VALID;
       ALTER TABLE audit_events ADD CHECK (user_agent !~ '[^ -~]') NOT VALID;
       CREATE INDEX ON audit_events (query)`,
    );
    await refuse("NEW.path LIKE '%by-a-trigger'", "P0001");
    await refuse("NEW.path LIKE '%by-an-index'", "XX002");
  });

  const reduced = { user_agent: null, query: null, error_message: null, details: { reduced: true } };
  const cases: [string, string, string, object][] = [
    ["by a constraint", "/api-keys", "refused by a check", { ...reduced, path: "/api/v1/api-keys" }],
    ["by one that plain text fits", "/api-keys", "caf\u00e9", { user_agent: "caf?", path: "/api/v1/api-keys" }],
    ["by a trigger", "/by-a-trigger", "curl", { ...reduced, path: "/api/v1" }],
    ["by a damaged index", "/by-an-index", "curl", { ...reduced, path: "/api/v1" }],
    ["for an index entry that is too large", `/api-keys?limit=${long}`, "curl", { path: "/api/v1/api-keys" }],
  ];

  test.each(cases)("%s is stored in a reduced form, and the others unchanged", async (_, path, agent, kept) => {
    const { api, id } = await organization.newKey();
    const good = Array.from({ length: 20 }, (_, n) => async () => {
      return api.get(`/api-keys?limit=${n + 1}`, { headers: { "user-agent": `good ${n}` } });
    });
    const bad = () => api.get(path, { headers: { "user-agent": agent } });
    const answers = await inOneBatch([...good.slice(0, 10), bad, ...good.slice(10)]);
    const [stored] = answers.splice(10, 1);
    for (const [n, answer] of answers.entries()) {
      expect(answer.status).toBe(200);
      const whole = { query: `limit=${n + 1}`, user_agent: `good ${n}`, status_code: 200, details: null };
      expect(await eventById(server, answer.requestId)).toMatchObject(whole);
    }
    expect(await eventById(server, stored?.requestId ?? "")).toMatchObject({
      organization_id: organization.id,
      api_key_id: id,
      method: "GET",
      status_code: stored?.status,
      ip_address: "127.0.0.1",
      ...kept,
    });
    const shown = await organization.read.get(`/audit-logs/${stored?.requestId}`);
    expect(shown.status).toBe(200);
  });
});

test("a full disk of the audit database delays no request; the events are stored when there is room again", async () => {
  const allow = await refuse("true", "53100");
  const answers = await inOneBatch(Array.from({ length: 20 }, () => () => organization.admin.get("/api-keys")));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  await allow();
  await whenDelivered(server);
  for (const { requestId } of answers) expect((await eventById(server, requestId)).status_code).toBe(200);
});

test("an event that the audit database refuses in every form stays in the outbox without delaying others", async () => {
  const shunned = await newOrganization(server);
  const allow = await refuse(`NEW.organization_id = '${shunned.id}'`, "23514");
  const { api } = await organization.newKey();
  const asks = Array.from({ length: 10 }, (_, n) => () => (n === 5 ? shunned.read : api).get("/api-keys"));
  const answers = await inOneBatch(asks);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  const [refused] = answers.splice(5, 1);
  for (const { requestId } of answers) expect((await eventById(server, requestId)).details).toBeNull();
  const waiting = () =>
    query<{ id: string }>(server, "app", "SELECT id FROM audit_outbox WHERE refused_at IS NOT NULL");
  const ids = await until("the worker has tried in vain", async () => {
    const rows = await waiting();
    return rows.length > 0 && rows.map(({ id }) => id);
  });
  expect(ids).toEqual([refused?.requestId]);

  const disk = await refuse("true", "53100");
  const later = await api.get("/api-keys");
  await disk();
  await until("a later event of the outbox was delivered", async () => (await eventById(server, later.requestId)).id);
  expect((await waiting()).map(({ id }) => id)).toEqual([refused?.requestId]);
  await allow();
  await query(server, "app", "UPDATE audit_outbox SET refused_at = now() - interval '1 hour'");
  await whenDelivered(server);
  expect(await eventById(server, refused?.requestId ?? "")).toMatchObject({ status_code: 200, details: null });
});

test("what was stored in reduced form or late is sealed like everything else", () => expectIntactLogs(server, [], []));
