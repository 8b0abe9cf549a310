import { describe, expect, test } from "vitest";
import * as z from "zod";
import { endpoints } from "@/lib/api/endpoints";
import { actions } from "@/lib/http/actions";
import { id, name, pageQuery, queryNumber, time } from "@/lib/http/endpoint";
import { groupLimits } from "@/lib/http/groups";

describe("the endpoints", () => {
  const all = endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const);

  test("are listed once each", () => {
    const named = all.map(([title]) => title);
    expect(new Set(named).size).toBe(named.length);
  });

  test.each(all)("%s follows the conventions", (_, endpoint) => {
    expect(endpoint.path).toMatch(/^(\/[a-z0-9-]+(\.json)?|\/\{([a-z]+_)?id\})+$/);
    expect(Object.keys(groupLimits)).toContain(endpoint.group);
    expect(actions).toContain(endpoint.action);
    expect(endpoint.summary).toMatch(/^[A-Z].*\.$/s);
    expect(endpoint.bulk).toBe(/^\/(certificates|uptime)\/(.+\/)?bulk(\/|$)/.test(endpoint.path));
    const one = new RegExp(`^${endpoint.path.replaceAll(/[{}]/g, "\\$&")}/\\{\\w+\\}$`);
    const isShown = endpoints.some(({ method, path }) => method === "GET" && one.test(path));
    expect(endpoint.location).toBe(endpoint.status === 201 && isShown);
    if (endpoint.method === "GET") expect(endpoint.body.safeParse({}).success).toBe(true);
  });

  test.each(all.filter(([, { list }]) => list))("%s is paginated like all lists", (_, { method, query }) => {
    expect(method).toBe("GET");
    expect(query.safeParse({}).data).toMatchObject({ limit: 50 });
    expect(query.safeParse({ limit: "200", cursor: "x" }).success).toBe(true);
    expect(query.safeParse({ limit: "201" }).success).toBe(false);
  });

  test.each(all)("%s takes no empty or hexadecimal text for a number", (_, { query }) => {
    const shape: Record<string, z.ZodType> = query instanceof z.ZodObject ? query.shape : {};
    const isNumber = (parameter: z.ZodType, text: string) => typeof parameter.safeParse(text).data === "number";
    const taken = Object.entries(shape).filter(([, parameter]) =>
      ["", "0x1"].some((text) => isNumber(parameter, text)),
    );
    expect(taken.map(([name]) => name)).toEqual([]);
  });

  // The verb receives one object: the body must not override the resource in the path.
  test.each(all)("%s has each field only once, in path, query or body", (_, { path, query, body }) => {
    const params = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
    const fields = [query, body].flatMap((shape) => (shape instanceof z.ZodObject ? Object.keys(shape.shape) : []));
    const named = [...params, ...fields];
    expect(named.filter((name, index) => named.indexOf(name) !== index)).toEqual([]);
  });

  // The payment provider defines the body of its webhooks; we only verify their signature.
  const ours = all.filter(([, { action }]) => action !== "billing.notice");

  test.each(ours)("%s refuses unknown fields", (_, { query, body }) => {
    for (const shape of [query, body]) {
      const parsed = shape.safeParse({ nobody_knows_this: "1" });
      expect(parsed.error?.issues.some(({ code }) => code === "unrecognized_keys")).toBe(true);
    }
  });
});

describe("fields shown once", () => {
  const posts = endpoints.filter(({ method }) => method === "POST");

  type Node = { $ref?: string; description?: string; properties?: Record<string, Node>; items?: Node };

  /** Fields whose name or description suggests a secret, with their path. */
  function* suspects(node: Node, definitions: Record<string, Node>, path: string[] = []): Generator<string> {
    const schema = node.$ref === undefined ? node : (definitions[node.$ref.replace("#/$defs/", "")] ?? {});
    for (const [name, each] of Object.entries(schema.properties ?? {})) {
      const looksSo =
        /secret|password|token|url$|key$/.test(name) ||
        /this once|this answer|never again/.test(each.description ?? "");
      if (looksSo) yield [...path, name].join(".");
      yield* suspects(each, definitions, [...path, name]);
    }
    if (schema.items !== undefined) yield* suspects(schema.items, definitions, path);
  }

  /** Fields that match but hold no secret. */
  const HARMLESS = ["secrets", "rotated_secret_used_at"];

  test.each(posts.map((each) => [each.path, each] as const))("POST %s marks its secrets", (_, { data, shownOnce }) => {
    const schema = z.toJSONSchema(data, { unrepresentable: "any" }) as Node & { $defs?: Record<string, Node> };
    const found = [...suspects(schema, schema.$defs ?? {})].filter((path) => !HARMLESS.includes(path));
    expect([...shownOnce]).toEqual(found);
  });

  test("are omitted from replays, so no POST returns a stream", () => {
    expect(posts.filter(({ raw }) => raw)).toEqual([]);
    expect(endpoints.filter(({ method, shownOnce }) => method !== "POST" && shownOnce.length > 0)).toEqual([]);
  });
});

describe("shared schemas", () => {
  test.each(["2026-11-21T14:31:58.207Z"])("%s is a valid time", (text) => {
    expect(time.safeParse(text).success).toBe(true);
  });

  test.each(["2026-11-21T14:31:58Z", "2026-11-21T14:31:58.2Z", "2026-11-21T14:31:58.207+00:00", "2026-11-21"])(
    "%s is not a valid time",
    (text) => {
      expect(time.safeParse(text).success).toBe(false);
    },
  );

  test("an id is a UUID", () => {
    expect(id.safeParse("01a1fcff-6680-7420-917f-1d9e34253279").success).toBe(true);
    expect(id.safeParse("01a1fcff66807420917f1d9e34253279").success).toBe(false);
  });

  test.each([
    ["Deploy", "Deploy"],
    ["  two words ", "two words"],
    ["ключ 🔑", "ключ 🔑"],
    ["x".repeat(100), "x".repeat(100)],
  ])("%j becomes the name %j", (text, kept) => {
    expect(name.parse(text)).toBe(kept);
  });

  test.each(["", "  ", "x".repeat(101), "a\nb", "a\0", "\u007f", "\ud83d", "a\u202eb", "\u200fx", "\u2066"])(
    "%j is not a valid name",
    (text) => {
      expect(name.safeParse(text).success).toBe(false);
    },
  );

  test("a page has 50 items by default and 1 to 200 on request", () => {
    expect(pageQuery.limit.parse(undefined)).toBe(50);
    expect(["1", "200"].map((text) => pageQuery.limit.parse(text))).toEqual([1, 200]);
    for (const text of ["0", "201", "-1", "1.5", "x", ""]) expect(pageQuery.limit.safeParse(text).success).toBe(false);
  });
});

describe("a number in a query", () => {
  const number = queryNumber(z.number().min(-1).max(100));

  test.each([
    ["0", 0],
    ["-1", -1],
    ["1.5", 1.5],
  ])("can be %j", (text, expected) => {
    expect(number.safeParse(text).data).toBe(expected);
  });

  test.each(["", " ", " 5", "0x10", "1e1", "+3", ".5", "1.", "NaN", "101"])("cannot be %j", (text) => {
    expect(number.safeParse(text).success).toBe(false);
  });
});
