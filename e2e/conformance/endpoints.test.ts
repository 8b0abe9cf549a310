import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { type Example, exampleOf } from "@/e2e/conformance/examples";
import { type Api, anonymous } from "@/e2e/support/api";
import type { Answer } from "@/e2e/support/http";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { eventById } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { newSession } from "@/e2e/support/session";
import { unlessBusy } from "@/e2e/support/until";
import { endpoints } from "@/lib/api/endpoints";
import { changeDetails } from "@/lib/audit-logs/change-contract";
import type { Action } from "@/lib/http/actions";
import { API_PREFIX, type Endpoint } from "@/lib/http/endpoint";
import { groupLimits } from "@/lib/http/groups";

const server = sharedServer();

function pathOf({ path }: Endpoint, { params = {}, query }: Example): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? "");
  return query === undefined ? filled : `${filled}?${new URLSearchParams(query)}`;
}

/** Endpoints that change something, but no fields of a resource. */
const withoutChanges: Partial<Record<Action, string>> = {
  "certificate.add": "certificates have no fields that can be changed",
};

/** Whether the event of a request must have recorded fields before and after. */
function mustRecordChanges({ method, status, action }: Endpoint): boolean {
  return (method === "PUT" || method === "DELETE" || status === 201) && withoutChanges[action] === undefined;
}

/** Sends the example and checks what every request must have: the headers, and one event with the request as sent. */
async function ask(api: Api, endpoint: Endpoint, example: Example, method: string = endpoint.method): Promise<Answer> {
  const target = pathOf(endpoint, example);
  const answer = await api.request(method, target, example.body, { headers: example.headers ?? {} });
  expect(answer.header("x-ratelimit-limit")).toBe(String(groupLimits[endpoint.group]));
  expect(answer.header("x-ratelimit-remaining")).toMatch(/^\d+$/);
  expect(answer.header("x-ratelimit-reset")).toMatch(/^\d{10}$/);
  const { group } = endpoint;
  expect(answer.header("ratelimit-policy")).toBe(`"${group}";q=${groupLimits[group]};w=60`);
  const remaining = answer.header("x-ratelimit-remaining");
  expect(answer.header("ratelimit")).toMatch(new RegExp(`^"${group}";r=${remaining};t=([1-5]?\\d|6[01])$`));
  expect(answer.header("cache-control")).toBe("no-store");
  const hidden = endpoint.credentials.reduce(
    (text, name) => text.replace(new RegExp(`(${name}=)[^&]*`), "$1[hidden]"),
    target,
  );
  expect(await eventById(server, answer.requestId)).toMatchObject({
    method,
    path: API_PREFIX + target.split("?")[0],
    query: hidden.split("?")[1] ?? null,
    route: API_PREFIX + endpoint.path,
    action: endpoint.method === method ? endpoint.action : null,
    status_code: answer.status,
    error_code: answer.status >= 400 ? answer.error.code : null,
  });
  return answer;
}

function shapeOf({ data, list, raw }: Endpoint): z.ZodType {
  if (raw) return data;
  if (!list) return z.strictObject({ data });
  const pagination = z.strictObject({ next_cursor: z.string().nullable(), has_more: z.boolean() });
  return z.strictObject({ data: z.array(data), pagination });
}

// That every endpoint refuses callers without permission, and knows no other organization's resource: access.test.ts.
describe.each(endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
  "%s",
  (_, endpoint) => {
    const isWrite = endpoint.method !== "GET";
    let organization: Organization;
    /** Nothing changes what it names: of the requests with it only those of a GET succeed. */
    let example: Example;
    /** A permitted caller: an admin key, or a person if keys are refused. */
    let caller: Api;

    beforeAll(async () => {
      organization = await newOrganization(server);
      example = await exampleOf(endpoint, organization);
      caller = endpoint.person ? (await newSession(server)).api : organization.admin;
    });

    test("answers in the contract's shape, and allows a read key only GET", async () => {
      const own = isWrite ? await exampleOf(endpoint, organization) : example;
      const done = await unlessBusy(() => ask(caller, endpoint, own));
      expect(done.status, done.text).toBe(endpoint.status);
      const read = await unlessBusy(() => ask(organization.read, endpoint, example));
      if (isWrite) expect([read.status, read.error.code]).toEqual([403, "METHOD_NOT_ALLOWED"]);
      else expect(read.status, read.text).toBe(endpoint.status);
      const type = done.header("content-type");
      if (type.startsWith("application/json")) expect(shapeOf(endpoint).safeParse(done.json).error).toBeUndefined();
      if (!mustRecordChanges(endpoint)) return;
      const { details } = await eventById(server, done.requestId);
      expect(details, "its verb records no changes").toMatchObject({ resource_name: expect.any(String) });
      expect(details?.changes).not.toEqual([]);
      expect(z.object(changeDetails).safeParse(details).error).toBeUndefined();
    });

    const refusesKeys = async () => {
      const refused = await ask(organization.admin, endpoint, example);
      expect([refused.status, refused.error.code]).toEqual([403, "METHOD_NOT_ALLOWED"]);
    };
    if (endpoint.person) test("is refused to a key", refusesKeys);

    const answersAnybody = async () => {
      expect((await ask(anonymous(server), endpoint, example)).status).toBe(endpoint.status);
    };
    if (endpoint.public) test("answers without a credential", answersAnybody);

    test("refuses an unknown query parameter by name", async () => {
      const answer = await ask(caller, endpoint, { ...example, query: { ...example.query, unheard: "1" } });
      expect(answer.status, answer.text).toBe(400);
      expect(answer.error.issues?.map(({ path }) => path)).toContain("unheard");
    });

    const namesUnknownField = async () => {
      const body = { ...(example.body as object), unheard: 1 };
      const answer = await ask(caller, endpoint, { ...example, body });
      expect(answer.status, answer.text).toBe(400);
      expect(answer.error.issues?.map(({ path }) => path)).toContain("unheard");
    };
    // The payment provider determines the fields of its webhooks; its signature is checked instead of a schema.
    if (isWrite && endpoint.action !== "billing.notice") test("names an unknown body field", namesUnknownField);

    test("lists the supported methods", async () => {
      const { query: _, ...asked } = example;
      const answer = await ask(organization.admin, endpoint, asked, "PATCH");
      expect([answer.status, answer.error.code]).toEqual([405, "METHOD_NOT_SUPPORTED"]);
      const methods = endpoints.filter(({ path }) => path === endpoint.path).map(({ method }) => method);
      expect(answer.header("allow").split(", ").sort()).toEqual(methods.sort());
    });
  },
);
