import { describe, expect, test } from "vitest";
import * as z from "zod";
import { type Endpoint, endpoint, instant, name, pageQuery } from "@/lib/http/endpoint";
import { ApiError, type Issue } from "@/lib/http/errors";
import { issuesOf, parseInput } from "@/lib/http/input";

const ID = "01a1fcff-6680-7420-917f-1d9e34253279";

const common = { summary: "", data: z.string() } as const;
const list = endpoint({
  ...common,
  method: "GET",
  path: "/things",
  action: "api_key.list",
  query: z.strictObject({ ...pageQuery, colour: z.string().optional() }),
});
const create = endpoint({
  ...common,
  method: "POST",
  path: "/things",
  action: "api_key.create",
  body: z.strictObject({
    name,
    sizes: z.array(z.number()).default([]),
    nested: z.strictObject({ a: z.string() }).optional(),
  }),
});
const act = endpoint({ ...common, method: "POST", path: "/things/{id}/act", action: "api_key.rotate" });
const remove = endpoint({ ...common, method: "DELETE", path: "/things/{id}", action: "api_key.revoke" });

const JSON_TYPE = { "content-type": "application/json" };

async function parse(to: Endpoint, { params = {}, query = "", headers = {}, body = "" as string | Buffer }) {
  return parseInput(to, params, query, headers, Buffer.from(body));
}

async function refusal(to: Endpoint, sent: Parameters<typeof parse>[1]): Promise<ApiError> {
  try {
    await parse(to, sent);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error("was accepted");
}

const issues = async (to: Endpoint, sent: Parameters<typeof parse>[1]): Promise<Issue[]> =>
  (await refusal(to, sent)).details.issues ?? [];

test("path parameters take precedence over query and body", async () => {
  const named = z.strictObject({ id: z.string().optional() });
  const change = endpoint({
    ...common,
    method: "PUT",
    path: "/x/{id}",
    action: "api_key.update",
    query: named,
    body: named,
  });
  const sent = { params: { id: ID }, query: "id=query", headers: JSON_TYPE, body: '{"id":"body"}' };
  expect(await parse(change, sent)).toEqual({ id: ID });
});

describe("query parameters", () => {
  test.each([
    ["", { limit: 50 }],
    ["limit=7&colour=red", { limit: 7, colour: "red" }],
    ["colour=a%20b+c", { limit: 50, colour: "a b c" }],
    ["colour=%C3%A9%2C", { limit: 50, colour: "é," }],
    ["&&limit=200&", { limit: 200 }],
  ])("%j → %j", async (query, input) => {
    expect(await parse(list, { query })).toEqual(input);
  });

  test.each([
    ["limit=0", "limit"],
    ["limit=201", "limit"],
    ["limit=ten", "limit"],
    ["limit=1.5", "limit"],
    ["limit=", "limit"],
    ["Limit=5", "Limit"],
    ["color=red", "color"],
    ["__proto__=1", "__proto__"],
    ["constructor=1", "constructor"],
    ["limit[]=5", "limit[]"],
  ])("%j is refused, and the issue names the parameter", async (query, path) => {
    expect((await issues(list, { query })).map((issue) => issue.path)).toEqual([path]);
  });

  test("a repeated parameter is refused, even with the same value", async () => {
    expect(await issues(list, { query: "limit=5&limit=5" })).toEqual([
      { path: "limit", message: "is given more than once" },
    ]);
  });

  test("all issues are listed, the first three in the message", async () => {
    const error = await refusal(list, { query: "limit=x&a=1&b=2&limit=y" });
    expect(error.code).toBe("INVALID_REQUEST");
    expect(error.details.issues?.map(({ path }) => path)).toEqual(["limit", "limit", "a", "b"]);
    expect(error.message).toMatch(/^limit: .*; limit: .*; a: is not a known field \(and 1 more\)\.$/);
  });

  test("all are refused if the endpoint has none", async () => {
    expect(await issues(create, { query: "x=1", headers: JSON_TYPE, body: '{"name":"n"}' })).toEqual([
      { path: "x", message: "is not a known field" },
    ]);
  });
});

describe("a body", () => {
  test.each([
    ["application/json"],
    ["application/json; charset=utf-8"],
    ["Application/JSON;charset=UTF-8"],
    ["application/json ;v=1"],
  ])("is read as %s", async (type) => {
    const input = await parse(create, { headers: { "content-type": type }, body: '{"name":" n ","sizes":[1]}' });
    expect(input).toEqual({ name: "n", sizes: [1] });
  });

  test.each([
    undefined,
    "",
    "text/plain",
    "application/jsonp",
    "application/x-www-form-urlencoded",
    "text/json",
    "*/*",
  ])("is refused as %j", async (type) => {
    const headers = type === undefined ? {} : { "content-type": type };
    expect((await refusal(create, { headers, body: '{"name":"n"}' })).code).toBe("UNSUPPORTED_MEDIA_TYPE");
  });

  test("may begin with a byte order mark", async () => {
    expect(await parse(create, { headers: JSON_TYPE, body: '\uFEFF{"name":"n"}' })).toEqual({ name: "n", sizes: [] });
  });

  test.each([
    ["{", /^must be JSON: /],
    ['{"name":"n"} x', /^must be JSON: /],
    ["{'name':'n'}", /^must be JSON: /],
    [Buffer.from('{"name":"\xff"}', "latin1"), /^must be JSON in UTF-8$/],
    [Buffer.from([0]), /^must be JSON: /],
    ["a secret", /^must be JSON: Unexpected token 'a'$/],
    [`${"a secret".repeat(20)}`, /^must be JSON: Unexpected token 'a'$/],
    [`[${'"a secret",'.repeat(20)}x]`, /^must be JSON: Unexpected token 'x'$/],
  ])("%j is refused as invalid JSON", async (body, message) => {
    expect(await issues(create, { headers: JSON_TYPE, body })).toEqual([
      { path: "body", message: expect.stringMatching(message) as string },
    ]);
  });

  test.each(["null", "[]", '"text"', "7", "true"])("%s is refused: the body must be an object", async (body) => {
    expect((await issues(create, { headers: JSON_TYPE, body })).map(({ path }) => path)).toEqual(["body"]);
  });

  test.each([
    ["{}", [{ path: "name", message: "is required" }]],
    ['{"name":7}', [{ path: "name", message: "must be a string" }]],
    ['{"name":null}', [{ path: "name", message: "must be a string" }]],
    ['{"name":"n","secret":1}', [{ path: "secret", message: "is not a known field" }]],
    ['{"name":"n","__proto__":{"x":1}}', [{ path: "__proto__", message: "is not a known field" }]],
    ['{"name":"n","sizes":[1,"2"]}', [{ path: "sizes.1", message: "must be a number" }]],
    ['{"name":"n","nested":{}}', [{ path: "nested.a", message: "is required" }]],
    ['{"name":"n","nested":{"a":"","b":1}}', [{ path: "nested.b", message: "is not a known field" }]],
    ['{"name":""}', [{ path: "name", message: "must not be empty" }]],
    ['{"name":"   "}', [{ path: "name", message: "must not be empty" }]],
    ['{"name":"a\\u0000b"}', [{ path: "name", message: "must not contain control characters" }]],
    ['{"name":"\\ud83d"}', [{ path: "name", message: "must not contain control characters" }]],
  ])("%s is refused, and the issue names the field", async (body, expected) => {
    expect(await issues(create, { headers: JSON_TYPE, body })).toEqual(expected);
  });

  test("that is empty has no fields", async () => {
    expect(await issues(create, {})).toEqual([{ path: "name", message: "is required" }]);
    expect(await parse(act, { params: { id: ID } })).toEqual({ id: ID });
  });

  test("is checked together with the query", async () => {
    const paths = (await issues(create, { query: "x=1", headers: JSON_TYPE, body: '{"y":1}' })).map(({ path }) => path);
    expect(paths).toEqual(["x", "name", "y"]);
  });

  test("is refused if the endpoint has none, unless it is empty", async () => {
    expect(await parse(remove, { params: { id: ID }, headers: JSON_TYPE, body: "{}" })).toEqual({ id: ID });
    expect(await issues(remove, { params: { id: ID }, headers: JSON_TYPE, body: '{"force":true}' })).toEqual([
      { path: "force", message: "is not a known field" },
    ]);
  });

  test("is refused with GET, with a length or a transfer encoding", async () => {
    for (const headers of [{ "content-length": "1" }, { "transfer-encoding": "chunked" }]) {
      expect(await issues(list, { headers })).toEqual([
        { path: "body", message: "must be absent: a GET request has no body" },
      ]);
    }
    expect(await parse(list, { headers: { "content-length": "0" } })).toEqual({ limit: 50 });
  });

  test("with long names does not make the message long", async () => {
    const body = JSON.stringify(Object.fromEntries(["a", "b", "c", "d"].map((key) => [key.repeat(100_000), 1])));
    const error = await refusal(act, { params: { id: ID }, headers: JSON_TYPE, body });
    expect(error.message.length).toBeLessThan(1500);
    expect(error.details.issues).toHaveLength(4);
  });
});

describe("an id in the path", () => {
  test.each(["7", "", ID.toUpperCase(), `${ID} `, `${ID}\n`, "01a1fcff66807420917f1d9e34253279", "../x"])(
    "%j returns 404",
    async (id) => {
      expect((await refusal(act, { params: { id } })).code).toBe("NOT_FOUND");
    },
  );

  test("that is invalid takes precedence over issues in query and body", async () => {
    expect((await refusal(act, { params: { id: "7" }, query: "x=1", body: "{" })).code).toBe("NOT_FOUND");
  });
});

describe("issues", () => {
  test("of a union or a custom check have a path and a message too", () => {
    const shape = z.strictObject({ a: z.union([z.string(), z.number()]), b: z.string().refine(() => false, "is odd") });
    const parsed = shape.safeParse({ a: true, b: "" });
    expect(parsed.error && issuesOf(parsed.error)).toEqual([
      { path: "a", message: "has none of the permitted forms" },
      { path: "b", message: "is odd" },
    ]);
  });
});

describe("text that the database cannot store", () => {
  const message = "must not contain U+0000 or half of a surrogate pair";

  test("is reported in a query", async () => {
    expect(await issues(list, { query: "colour=a%00b" })).toEqual([{ path: "colour", message }]);
  });

  test.each(["\\u0000", "\\ud83d", "\\ude00"])("is reported in a body: %s", async (half) => {
    const body = `{"name":"x","nested":{"a":"a${half}b"}}`;
    expect(await issues(create, { headers: JSON_TYPE, body })).toEqual([{ path: "nested.a", message }]);
  });

  test("does not include characters of Unicode's other planes", async () => {
    const body = '{"name":"\\ud83d\\ude00"}';
    expect(await parse(create, { headers: JSON_TYPE, body })).toMatchObject({ name: "😀" });
  });
});

describe("a time", () => {
  test.each(["0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z"])("%s is accepted", (text) => {
    expect(instant.parse(text)).toBe(Date.parse(text));
  });

  test.each(["0000-12-31T23:59:59.999Z", "0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01"])(
    "%s is outside the range that can be stored",
    (text) => expect(instant.safeParse(text).success).toBe(false),
  );
});

describe("excessive input:", () => {
  const many = (count: number) =>
    JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, n) => [`f${n}`, n])));

  test("unknown fields are listed in part", async () => {
    const error = await refusal(act, { params: { id: ID }, headers: JSON_TYPE, body: many(900) });
    expect(error.details.issues).toHaveLength(100);
    expect(error.message).toBe(
      "f0: is not a known field; f1: is not a known field; f2: is not a known field (and 897 more).",
    );
  });

  test("issues do not overflow the stack", async () => {
    const error = await refusal(act, { params: { id: ID }, headers: JSON_TYPE, body: many(200_000) });
    expect(error.details.issues).toHaveLength(100);
  });

  test("length of names and messages is truncated", async () => {
    const body = JSON.stringify({ ["n".repeat(100_000)]: 1 });
    const [issue] = await issues(act, { params: { id: ID }, headers: JSON_TYPE, body });
    expect(issue?.path).toHaveLength(200);
  });

  test("parameters are refused", async () => {
    const query = Array.from({ length: 101 }, (_, n) => `p${n}=1`).join("&");
    expect(await issues(list, { query })).toEqual([{ path: "query", message: "must have at most 100 parameters" }]);
  });

  test("depth of a body is refused before parsing", async () => {
    const issue = { path: "body", message: "must not be nested more than 64 levels deep" };
    const given = parseInput(create, {}, "", JSON_TYPE, Buffer.from('{"name":"x"}'), issue);
    await expect(given).rejects.toMatchObject({ code: "INVALID_REQUEST", details: { issues: [issue] } });
  });
});

describe("a large body", () => {
  test("is decoded in slices with the same result", async () => {
    const text = "a\u00e9\u8a3c\ud83d\udd0f".repeat(100_000);
    for (const start of ["", "x", "xy", "xyz"]) {
      const parsed = await parse(create, { headers: JSON_TYPE, body: `{"name":"n","nested":{"a":"${start}${text}"}}` });
      expect((parsed as { nested: { a: string } }).nested.a === start + text).toBe(true);
    }
    const cut = Buffer.concat([Buffer.from('{"name":"'), Buffer.from(text).subarray(0, -1)]);
    const message = "must be JSON in UTF-8";
    expect(await issues(create, { headers: JSON_TYPE, body: cut })).toEqual([{ path: "body", message }]);
  });
});
