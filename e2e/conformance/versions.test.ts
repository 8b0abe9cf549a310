import { beforeAll, describe, expect, test } from "vitest";
import { type Example, exampleOf } from "@/e2e/conformance/examples";
import { newAgent, newSigner } from "@/e2e/support/agent";
import type { Api } from "@/e2e/support/api";
import type { Answer } from "@/e2e/support/http";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { endpoints } from "@/lib/api/endpoints";
import { takesIfMatch } from "@/lib/api/possible-errors";
import type { Endpoint } from "@/lib/http/endpoint";
import type { Group } from "@/lib/http/groups";
import { newId } from "@/lib/ids";

const server = sharedServer();

let shared: Organization;
beforeAll(async () => {
  shared = await newOrganization(server);
  await query(server, "app", "UPDATE organizations SET plan = 'enterprise' WHERE id = $1", [shared.id]);
});

/** Changes of the whole organization, and resources with unique names, use a separate organization. */
const OWN_ORGANIZATION = new Set<Group>(["organizations", "alerts", "audit_logs"]);

/** A caller, and a resource that this endpoint can change. */
async function prepare(endpoint: Endpoint): Promise<{ admin: Api; path: string; example: Example }> {
  const organization = OWN_ORGANIZATION.has(endpoint.group) ? await newOrganization(server) : shared;
  const admin = (await organization.newKey({ permission: "admin" })).api;
  const example = await exampleOf(endpoint, { ...organization, admin });
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => example.params?.[name] ?? "");
  return { admin, path, example };
}

const withIfMatch = (value: string) => ({ headers: { "if-match": value } });
const outcomeOf = ({ status, json }: Answer) => [status, (json as { error?: { code: string } }).error?.code];

/** The fields of a resource that people and keys change; the others may change at any time. */
function changeable({ data }: Answer) {
  const { updated_at, deletion, revoked_at, note, name } = data as Record<string, unknown>;
  return { updated_at, deletion, revoked_at, note, name };
}

const named = (each: Endpoint) => [`${each.method} ${each.path}`, each] as const;
const writes = endpoints.filter(({ method }) => method === "PUT" || method === "DELETE");
const isShown = ({ path }: Endpoint) => endpoints.some((each) => each.method === "GET" && each.path === path);

test.concurrent.each(writes.map(named))(
  "%s is refused if If-Match names another version, and changes nothing",
  async (_, endpoint) => {
    const { admin, path, example } = await prepare(endpoint);
    const send = (ifMatch: string) => admin.request(endpoint.method, path, example.body, withIfMatch(ifMatch));
    const before = isShown(endpoint) ? await admin.get(path) : null;
    const tag = before?.header("etag");
    for (const stale of ['"stale"', 'W/"stale"', '"stale", "staler"', ...(tag === undefined ? [] : [`W/${tag}`])]) {
      const refused = await send(stale);
      expect(outcomeOf(refused), refused.text).toEqual([412, "PRECONDITION_FAILED"]);
    }
    const malformed = await send("stale");
    expect(malformed.error.issues?.map(({ path }) => path)).toEqual(["If-Match"]);
    if (before !== null) {
      const after = await admin.get(path);
      expect(after.header("etag")).toBe(tag);
      expect(changeable(after)).toEqual(changeable(before));
    }
    const nowhere = path.replace(/[0-9a-f-]{36}$/, newId());
    expect(outcomeOf(await admin.request(endpoint.method, nowhere, example.body, withIfMatch('"stale"')))[0]).toBe(404);

    const done = await send(tag === undefined ? "*" : `"stale", ${tag}`);
    expect(done.status, done.text).toBe(200);
    if (endpoint.method === "DELETE") return expect(done.headers.etag).toBeUndefined();
    expect(done.header("etag")).not.toBe(tag);
    if (before === null) return;
    expect((await admin.get(path)).header("etag")).toBe(done.header("etag"));
    expect(outcomeOf(await send(tag ?? ""))).toEqual([412, "PRECONDITION_FAILED"]);
  },
);

test.concurrent.each(writes.filter((each) => each.method === "PUT" && isShown(each)).map(named))(
  "of two concurrent %s that name the same version one succeeds",
  async (_, endpoint) => {
    const { admin, path, example } = await prepare(endpoint);
    const tag = (await admin.get(path)).header("etag");
    const send = () => admin.put(path, example.body, withIfMatch(tag));
    const answers = await Promise.all([send(), send()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
  },
);

const unversioned = endpoints.filter(
  (each) => each.method === "POST" && !each.public && !each.person && !takesIfMatch(each),
);

test.concurrent.each(unversioned.map(named))("%s refuses If-Match, which it does not support", async (_, endpoint) => {
  const { admin, path, example } = await prepare(endpoint);
  const answer = await admin.post(path, example.body, { headers: { ...example.headers, "if-match": "*" } });
  expect(outcomeOf(answer), answer.text).toEqual([400, "INVALID_REQUEST"]);
  expect(answer.error.issues?.map(({ path }) => path)).toEqual(["If-Match"]);
});

describe("an ETag", () => {
  test("is in the response to a creation, and stays until a change", async () => {
    const made = await shared.admin.post<{ id: string }>("/uptime", {
      name: newId(),
      type: "tcp",
      target: "127.0.0.1:9",
      headers: {},
    });
    const path = `/uptime/${made.data.id}`;
    expect((await shared.admin.get(path)).header("etag")).toBe(made.header("etag"));
    expect((await shared.admin.post(`${path}/check`)).status).toBe(200);
    expect((await shared.admin.get(path)).header("etag")).toBe(made.header("etag"));
  });

  test("changes with a hidden secret, and a rotation returns the new one", async () => {
    const made = await shared.admin.post<{ id: string }>("/uptime", {
      name: newId(),
      type: "http",
      target: "http://127.0.0.1:9/",
      headers: { "X-Token": "one" },
    });
    const changed = await shared.admin.put(`/uptime/${made.data.id}`, { headers: { "X-Token": "two" } });
    expect(changed.header("etag")).not.toBe(made.header("etag"));
    const { id } = await shared.newKey();
    const rotated = await shared.admin.post(`/api-keys/${id}/rotate`);
    expect((await shared.admin.get(`/api-keys/${id}`)).header("etag")).toBe(rotated.header("etag"));
  });

  test("is in the response to a request that changes nothing", async () => {
    const agent = await newAgent(shared);
    const path = `/certificates/agents/${agent.id}`;
    const body = { public_key: newSigner().publicKey, version: "1" };
    const first = await shared.admin.post(`${path}/enrollment`, body);
    const second = await shared.admin.post(`${path}/enrollment`, body);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.header("etag")).toBe(first.header("etag"));
    const stale = await shared.admin.post(`${path}/enrollment`, body, withIfMatch('"stale"'));
    expect(outcomeOf(stale)).toEqual([412, "PRECONDITION_FAILED"]);
  });

  test("of a personal view is neither sent to nor required from anyone else", async () => {
    const body = { name: newId(), scope: "personal", query: {} };
    const { data } = await shared.admin.post<{ id: string }>("/audit-logs/views", body);
    const other = await shared.newKey({ permission: "admin" });
    for (const ifMatch of ['"stale"', "*"]) {
      const answer = await other.api.put(`/audit-logs/views/${data.id}`, { name: "x" }, withIfMatch(ifMatch));
      expect([answer.status, answer.error.code]).toEqual([404, "NOT_FOUND"]);
    }
  });

  test("of a revoked key is still checked", async () => {
    const { id } = await shared.newKey();
    await shared.admin.delete(`/api-keys/${id}`);
    expect(
      outcomeOf(await shared.admin.request("DELETE", `/api-keys/${id}`, undefined, withIfMatch('"stale"')))[0],
    ).toBe(412);
    expect((await shared.admin.delete(`/api-keys/${id}`)).status).toBe(200);
  });
});
