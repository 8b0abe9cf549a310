import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import pg from "pg";
import { beforeAll, describe, expect, test } from "vitest";
import { type Example, exampleOf } from "@/e2e/conformance/examples";
import { type Api, withKey } from "@/e2e/support/api";
import type { Answer } from "@/e2e/support/http";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { eventById, query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { newSession } from "@/e2e/support/session";
import { until } from "@/e2e/support/until";
import { endpoints } from "@/lib/api/endpoints";
import type { Endpoint } from "@/lib/http/endpoint";
import { newId } from "@/lib/ids";

const server = sharedServer();

/** The formats of all secrets that a response shows once. */
const SECRET = /sw_[0-9A-Za-z]{46}|whsec_|signature=|\/invitations\//;

let organization: Organization;
beforeAll(async () => {
  organization = await newOrganization(server);
  await query(server, "app", "UPDATE organizations SET plan = 'enterprise' WHERE id = $1", [organization.id]);
});

function post(api: Api, { path }: Endpoint, example: Example, key: string, body = example.body): Promise<Answer> {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => example.params?.[name] ?? "");
  return api.post(filled, body, { headers: { ...example.headers, "idempotency-key": key } });
}

const posts = endpoints.filter((each) => each.method === "POST" && !each.public);

test.concurrent.each(posts.map((endpoint) => [endpoint.path, endpoint] as const))(
  "POST %s is carried out once per Idempotency-Key, and shows its secrets once",
  async (_, endpoint) => {
    // An organization with a subscription cannot buy another one, so each test has its own.
    const owner = endpoint.group === "billing" ? await newOrganization(server) : organization;
    const admin = (await owner.newKey({ permission: "admin" })).api;
    const example = await exampleOf(endpoint, { ...owner, admin });
    const caller = endpoint.person ? (await newSession(server)).api : admin;
    const key = newId();
    const first = await post(caller, endpoint, example, key);
    expect(first.status, first.text).toBe(endpoint.status);
    const again = await post(caller, endpoint, example, key);

    const { data: shown } = first.json as { data: Record<string, unknown> };
    const secrets = endpoint.shownOnce.filter((field) => (shown[field] ?? null) !== null);
    const withheld = Object.fromEntries(Object.entries(shown).filter(([field]) => !secrets.includes(field)));
    if (secrets.length > 0) withheld.secret_withheld = true;
    expect(again.json).toEqual({ data: withheld });
    expect(again.text).not.toMatch(SECRET);
    expect(again.status).toBe(first.status);
    const headersOf = ({ headers }: Answer) => [headers.location, headers.etag, headers["content-type"]];
    expect(headersOf(again)).toEqual(headersOf(first));
    expect([first.headers["idempotent-replayed"], again.headers["idempotent-replayed"]]).toEqual([undefined, "true"]);

    const [kept] = await query<{ body: string }>(server, "app", "SELECT body FROM idempotent_requests WHERE key = $1", [
      key,
    ]);
    expect(kept?.body).toBe(again.text);
    const event = await eventById(server, again.requestId);
    expect(event).toMatchObject({ status_code: first.status, details: { repeats: first.requestId }, flags: [] });
    if (!endpoint.bulk && !endpoint.person) {
      expect(Number(again.header("x-ratelimit-remaining"))).toBe(Number(first.header("x-ratelimit-remaining")) - 1);
    }

    const other = await post(caller, endpoint, example, key, `${JSON.stringify(example.body ?? {})} `);
    expect([other.status, other.error.code], other.text).toEqual([409, "CONFLICT"]);
    const elsewhere = await caller.post("/alert-rules/preview", undefined, { headers: { "idempotency-key": key } });
    expect(elsewhere.status).toBe(400);
  },
);

/** Blocks changes of the organization until the returned function is called. */
async function holdOrganization(): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: server.databases.app });
  await client.connect();
  await client.query("BEGIN");
  await client.query("SELECT FROM organizations WHERE id = $1 FOR NO KEY UPDATE", [organization.id]);
  return () => client.end();
}

const claims = (key: string) =>
  query<{ attempt: string }>(server, "app", "SELECT attempt FROM idempotent_requests WHERE key = $1", [key]);

describe("a repeated request", () => {
  const named = () => ({ name: newId() });
  const count = async (name: string) =>
    (
      await query(server, "app", "SELECT id FROM api_keys WHERE organization_id = $1 AND name = $2", [
        organization.id,
        name,
      ])
    ).length;
  const headers = () => ({ headers: { "idempotency-key": newId() } });

  /** Eight concurrent attempts, of which the first waits for the organization's row until the others have been answered. */
  async function askTogether() {
    const [body, options] = [named(), headers()];
    const { api } = await organization.newKey({ permission: "admin" });
    // Otherwise the first may be answered before a busy machine sends another.
    const release = await holdOrganization();
    let answered = 0;
    const asked = Array.from({ length: 8 }, async () => {
      const answer = await api.post("/api-keys", body, options);
      answered++;
      return answer;
    });
    await until("all but the first are answered", () => answered >= 7);
    await release();
    return { name: body.name, answers: await Promise.all(asked) };
  }

  test("that arrives during the first is refused, and of many concurrent ones only one is carried out", async () => {
    // On a slow machine the first may wait for the row longer than requests may wait for a lock, and gets 503.
    const { name, answers } = await until("the first did not wait too long", async () => {
      const done = await askTogether();
      return done.answers.every(({ status }) => status !== 503) && done;
    });
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 7 }, () => 409)]);
    expect(answers.filter(({ status, text }) => status === 201 && SECRET.test(text)).length).toBe(1);
    expect(await count(name)).toBe(1);
  });

  test("by another key of the organization is a separate request", async () => {
    const [body, options] = [named(), headers()];
    const other = await organization.newKey({ permission: "admin" });
    const first = await organization.admin.post<{ id: string }>("/api-keys", body, options);
    const second = await other.api.post<{ id: string; secret: string }>("/api-keys", body, options);
    expect(second.status).toBe(201);
    expect(second.data.id).not.toBe(first.data.id);
    expect(second.data.secret).toMatch(/^sw_/);
  });

  test("with an Idempotency-Key of another route is refused", async () => {
    const options = headers();
    expect((await organization.admin.post("/api-keys", named(), options)).status).toBe(201);
    const { id } = await organization.newKey();
    const other = await organization.admin.post(`/api-keys/${id}/rotate`, undefined, options);
    expect([other.status, other.error.code]).toEqual([409, "CONFLICT"]);
    expect((await organization.admin.get<{ rotated_at: unknown }>(`/api-keys/${id}`)).data.rotated_at).toBeNull();
  });

  test("after a failure is carried out", async () => {
    const { data } = await organization.admin.post<{ id: string }>("/api-keys", named());
    const options = headers();
    const body = { ip_whitelist: ["192.0.2.1"] };
    const path = `/api-keys/${data.id}/whitelist-preview`;
    const failed = await organization.admin.post(`/api-keys/${newId()}/rotate`, undefined, options);
    expect(failed.status).toBe(404);
    expect((await organization.admin.post(path, body, options)).status).toBe(200);
  });

  test("by a key that rotated itself is refused with 401, because its secret is no longer valid", async () => {
    const own = await organization.newKey({ permission: "admin" });
    const options = headers();
    const first = await own.api.post<{ secret: string }>(`/api-keys/${own.id}/rotate`, undefined, options);
    const again = await own.api.post(`/api-keys/${own.id}/rotate`, undefined, options);
    expect([again.status, again.error.code]).toEqual([401, "API_KEY_REVOKED"]);
    const renewed = await withKey(server, first.data.secret).post(`/api-keys/${own.id}/rotate`, undefined, options);
    expect(renewed.data).toMatchObject({ id: own.id, secret_withheld: true });
  });

  test("after a commit whose response was lost is refused with 409, and is not carried out again", async () => {
    const [body, options] = [named(), headers()];
    const first = await organization.admin.post("/api-keys", body, options);
    const lost =
      "UPDATE idempotent_requests SET status = NULL, headers = NULL, body = NULL, claimed_at = now() - interval '1 hour' WHERE key = $1";
    await query(server, "app", lost, [options.headers["idempotency-key"]]);
    const again = await organization.admin.post("/api-keys", body, options);
    expect([again.status, again.error.code]).toEqual([409, "CONFLICT"]);
    expect(again.error.message).toContain(first.requestId);
    expect(await count(body.name)).toBe(1);
  });

  test("during the check that follows the commit is in progress, and then has the first response", async () => {
    const waiting: ServerResponse[] = [];
    const site = createServer((_, response) => void waiting.push(response)).listen(0, "127.0.0.1");
    await once(site, "listening");
    const { port } = site.address() as AddressInfo;
    const slow = { interval_seconds: 3600, timeout_seconds: 30 };
    const body = { name: newId(), type: "http", target: `http://127.0.0.1:${port}/`, ...slow };
    const options = headers();
    const first = organization.admin.post<{ id: string }>("/uptime", body, options);
    await until("the monitor is checked", () => waiting.length > 0);
    const during = await organization.admin.post("/uptime", body, options);
    expect([during.status, during.error.code, during.error.message]).toEqual([
      409,
      "CONFLICT",
      "A request with this Idempotency-Key is still in progress.",
    ]);
    expect(during.error.retry_after).toBeGreaterThanOrEqual(5);
    expect(during.header("retry-after")).toBe(String(during.error.retry_after));
    for (const response of waiting) response.end("hello");
    const made = await first;
    expect(made.status, made.text).toBe(201);
    const again = await organization.admin.post<{ id: string }>("/uptime", body, options);
    expect([again.status, again.data.id]).toEqual([201, made.data.id]);
    site.close();
    site.closeAllConnections();
  });

  /** Two attempts: the first waits for the organization's row until it counts as dead, and the second takes over. */
  async function takeOver() {
    const [name, options] = [newId(), headers()];
    const key = options.headers["idempotency-key"];
    const release = await holdOrganization();
    const late = organization.admin.post("/api-keys", { name }, options);
    await until("the first attempt has the key", async () => (await claims(key)).length === 1);
    const dead =
      "UPDATE idempotent_requests SET claimed_at = now() - interval '2 minutes' WHERE key = $1 RETURNING attempt";
    const [before] = await query<{ attempt: string }>(server, "app", dead, [key]);
    const second = organization.admin.post<{ id: string }>("/api-keys", { name }, options);
    const isOver = async () => (await claims(key))[0]?.attempt !== before?.attempt;
    await until("the second attempt took over", isOver);
    await release();
    return { name, options, answers: await Promise.all([late, second]) };
  }

  test("takes over from an attempt that died, which can then neither commit nor answer", async () => {
    // On a slow machine an attempt may wait for the row longer than requests may wait for a lock, and gets 503.
    const { name, options, answers } = await until("no attempt waited too long", async () => {
      const done = await takeOver();
      return done.answers.every(({ status }) => status !== 503) && done;
    });
    expect(answers.map(({ status }) => status)).toEqual([409, 201]);
    expect(await count(name)).toBe(1);
    const third = await organization.admin.post<{ id: string }>("/api-keys", { name }, options);
    expect(third.data.id).toBe(answers[1].data.id);
  });

  test("to a public endpoint is not stored, because callers are unknown", async () => {
    const [key] = [newId()];
    const notice = endpoints.find(({ action }) => action === "billing.notice") as Endpoint;
    const answer = await post(organization.admin, notice, await exampleOf(notice, organization), key);
    expect(answer.status, answer.text).toBe(200);
    expect(await claims(key)).toEqual([]);
  });
});
