import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeEach, expect, test } from "vitest";
import { ApiClient } from "@/server/apply/api-client";
import { executePlan } from "@/server/apply/execute-plan";
import { type PlanStep, plan } from "@/server/apply/plan";
import { type Fields, kinds, type Present, type Wanted } from "@/server/apply/resource";

/** Rules by id, as a server that keeps their versions. */
const rules = new Map<string, { version: number; name: string; fields: Fields }>();
const got: string[] = [];
beforeEach(() => {
  rules.clear();
  got.length = 0;
});

const server = createServer(async (request, response) => {
  const { method = "", url = "" } = request;
  got.push(`${method} ${url}`);
  for await (const _ of request);
  const id = decodeURIComponent(url.split("/").at(-1) ?? "");
  const rule = rules.get(id);
  const answer = (status: number, body: unknown) =>
    response
      .writeHead(status, { "content-type": "application/json", etag: `"${rule?.version}"` })
      .end(JSON.stringify(body));
  if (method === "POST") return answer(402, { error: { code: "PLAN_LIMIT_REACHED", message: "The plan is full." } });
  if (rule === undefined) return answer(404, { error: { code: "NOT_FOUND", message: "There is no such resource." } });
  if (method !== "GET" && request.headers["if-match"] !== `"${rule.version}"`)
    return answer(412, {
      error: { code: "PRECONDITION_FAILED", message: "If-Match does not name the current version." },
    });
  if (method === "DELETE") rules.delete(id);
  return answer(200, { data: { id, name: rule.name, steps: [], ...rule.fields } });
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
afterAll(() => server.close().closeAllConnections());

const present = (id: string, fields: Fields): Present => {
  rules.set(id, { version: 1, name: id, fields });
  return { kind: "alert_rules", id, key: id, name: id, fields: { ...fields, steps: [] } };
};
const wanted = (name: string, fields: Fields): Wanted => ({
  kind: "alert_rules",
  key: name,
  name,
  path: ["alert_rules", 0],
  identity: { name },
  fields,
  secrets: null,
});

async function execute(steps: readonly PlanStep[], stop = new AbortController()) {
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const api = new ApiClient({ url, key: "sw_key", onWait: () => {}, signal: stop.signal });
  const references = { channels: new Map(), agents: new Map(), trustStores: new Map() };
  const done: string[] = [];
  const onDone = ({ name }: PlanStep) => {
    done.push(name);
    if (name === "last before Ctrl-C") stop.abort();
  };
  const outcome = await executePlan(steps, { api, references, secrets: null, onDone, signal: stop.signal });
  return { done, failed: outcome.failed, notDone: outcome.notDone.map(({ name }) => name) };
}

const planOf = (all: readonly Wanted[], there: readonly Present[]) =>
  plan({ wanted: all, present: there, managed: new Set(kinds), prune: true, resendSecrets: false, ownKeyId: null })
    .steps;

test("neither changes nor deletes what has changed since the plan was made, and stops there", async () => {
  const steps = planOf(
    [wanted("a", { repeat_minutes: 5 }), wanted("b", { repeat_minutes: 5 })],
    [present("a", { repeat_minutes: 1 }), present("b", { repeat_minutes: 1 }), present("c", { repeat_minutes: 1 })],
  );
  rules.set("b", { version: 2, name: "b", fields: { repeat_minutes: 9 } });
  const outcome = await execute(steps);
  expect(outcome).toMatchObject({
    done: ["a"],
    failed: { step: { name: "b" }, reason: expect.stringContaining("has changed since the plan was made") },
    notDone: ["c"],
  });
  expect(got).toEqual(["GET /api/v1/alert-rules/a", "PUT /api/v1/alert-rules/a", "GET /api/v1/alert-rules/b"]);

  rules.set("c", { version: 2, name: "renamed", fields: { repeat_minutes: 1 } });
  const deletion = await execute(steps.filter(({ act }) => act === "delete"));
  expect(deletion).toMatchObject({ done: [], failed: { step: { name: "c" } } });
  expect(rules.has("c")).toBe(true);
});

test("an interruption ends the run after the step in progress", async () => {
  const names = ["first", "last before Ctrl-C", "third", "fourth"];
  const steps = planOf(
    [],
    names.map((name) => present(name, {})),
  );
  const outcome = await execute(steps);
  expect(outcome).toMatchObject({
    done: names.slice(0, 2),
    failed: { step: { name: "third" }, reason: "It was interrupted." },
    notDone: ["fourth"],
  });
  expect([...rules.keys()]).toEqual(["third", "fourth"]);
});

test("says what to do if the plan has no room for new resources alongside those that would be deleted", async () => {
  const { failed } = await execute(planOf([wanted("new", {})], [present("old", {})]));
  expect(failed?.reason).toContain("first delete a rule that the manifest does not have");
  const { failed: other } = await execute(planOf([wanted("new", {})], []));
  expect(other?.reason).toBe("The plan is full. (PLAN_LIMIT_REACHED)");
});
