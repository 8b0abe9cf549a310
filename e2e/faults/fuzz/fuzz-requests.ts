import fc from "fast-check";
import * as z from "zod";
import type { Example } from "@/e2e/conformance/examples";
import type { Sent } from "@/e2e/support/http";
import { API_PREFIX, type Endpoint } from "@/lib/http/endpoint";

/** An endpoint with a successful request and, for a list, a cursor that it returned. */
export interface Template {
  endpoint: Endpoint;
  example: Example;
  cursor: string | null;
}

/** Values that often cause bugs in JSON, queries and paths. */
const TEXTS = [
  ...[
    "",
    " ",
    "\u0000",
    "a\u0000b",
    "\ud800",
    "\udfff\ud800",
    "e\u0301",
    "\u202e",
    "\ufeff",
    "😀",
    "İ",
    "ß".repeat(300),
  ],
  ...[
    "'; DROP TABLE audit_events; --",
    '"',
    "\\",
    "\\x",
    "{a,b}",
    "%",
    "%_%",
    "$1",
    "a\tb",
    "a\r\nX: y",
    "(",
    "[",
    "*",
    "/*",
  ],
  ...[
    "!",
    "!!",
    ",",
    "a,,b",
    "!,!",
    "null",
    "undefined",
    "NaN",
    "true",
    "-",
    "--",
    "..",
    "../..",
    "/",
    "//",
    "~",
    "@",
    "a@b",
  ],
  ...[
    "-1",
    "0",
    "00",
    "1",
    "1.5",
    "1e3",
    "1e309",
    "-0",
    "0x10",
    "+1",
    "٣",
    "201",
    "32768",
    "2147483648",
    "-2147483649",
  ],
  ...["9007199254740993", "9223372036854775808", "99999999999999999999", "1".repeat(400)],
  ...["0000-01-01T00:00:00Z", "0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59-23:59"],
  ...["1970-01-01T00:00:00Z", "1969-12-31T23:59:59.999Z", "2026-02-29T00:00:00Z", "2026-11-21T24:00:00Z", "2026-11-21"],
  ...[
    "+012345-01-01T00:00:00Z",
    "2026-11-21T00:00:00.123456789Z",
    "2026-11-21T00:00:00+99:99",
    "10889-08-02T05:31:50.655Z",
  ],
  ...[
    "0.0.0.0/0",
    "::/0",
    "1.2.3.4/33",
    "1.2.3.4/8",
    "::ffff:1.2.3.4/96",
    "::1%eth0",
    "256.1.1.1",
    "0177.0.0.1",
    "[::1]",
  ],
  ...[
    "00000000-0000-0000-0000-000000000000",
    "ffffffff-ffff-ffff-ffff-ffffffffffff",
    "01A1FD09-138A-732B-878B-CBDB1158CD55",
  ],
  ...[
    "__proto__",
    "constructor",
    "toString",
    "hasOwnProperty",
    "http://127.0.0.1:1/",
    "http://[::1]:0/",
    "file:///etc/passwd",
  ],
  ...[
    "http://a:b@127.0.0.1:99999/",
    "javascript:alert(1)",
    "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----",
  ],
  ...[
    "x".repeat(101),
    "x".repeat(5_000),
    "a.".repeat(200),
    `${"a".repeat(64)}.invalid`,
    "xn--a",
    "*.invalid",
    "4xx",
    "!5xx,200",
  ],
];

const text = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
  { weight: 1, arbitrary: fc.array(fc.constantFrom(...TEXTS), { maxLength: 4 }).map((texts) => texts.join(",")) },
);

const json = fc.oneof(
  { weight: 3, arbitrary: text },
  {
    weight: 3,
    arbitrary: fc.constantFrom<unknown>(
      ...[
        null,
        true,
        false,
        [],
        {},
        [[]],
        [null],
        0,
        -1,
        1,
        0.5,
        2 ** 31,
        -(2 ** 31) - 1,
        2 ** 53,
        1e21,
        1e308,
        1e-320,
      ],
      ...[
        65_536,
        100_000,
        { a: {} },
        [{}, {}],
        Array(300).fill("x"),
        Array(101).fill("192.0.2.1"),
        ["\u0000"],
        ["\ud800"],
      ],
    ),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);

type Path = (string | number)[];

/** Every position in a JSON value. */
function placesIn(value: unknown, at: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [at];
  const inside = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [at, ...inside.flatMap(([key, each]) => placesIn(each, [...at, key]))];
}

function replaced(value: unknown, [key, ...rest]: Path, by: unknown): unknown {
  if (key === undefined) return by;
  if (Array.isArray(value)) return value.map((each, index) => (index === key ? replaced(each, rest, by) : each));
  const held = (value ?? {}) as Record<string, unknown>;
  return { ...held, [key]: replaced(held[key], rest, by) };
}

interface Shape {
  properties?: Record<string, { enum?: string[] }>;
}

function propertiesOf(schema: z.ZodType): [name: string, values: string[]][] {
  const { properties = {} } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Shape;
  return Object.entries(properties).map(([name, property]) => [name, property.enum ?? []]);
}

/** Percent-encodes special characters, including lone surrogates, which `encodeURIComponent` refuses. */
function encoded(value: string): string {
  return value.replace(/[^A-Za-z0-9_.~-]/g, (unit) => {
    const code = unit.charCodeAt(0);
    const bytes = code < 0x80 ? [code] : code < 0x800 ? [0xc0 | (code >> 6), 0x80 | (code & 63)] : null;
    const all = bytes ?? [0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63)];
    return all.map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
  });
}

/** A cursor with another position and its original fingerprint: with one cursor a client can forge others. */
function forgedCursor(cursor: string) {
  const parts = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8")) as unknown[];
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return fc.oneof(
    fc.tuple(fc.nat(parts.length - 1), json).map(([at, by]) => encode(replaced(parts, [at], by))),
    fc.array(json, { maxLength: 4 }).map((position) => encode([parts[0], ...position])),
    fc.tuple(fc.nat(cursor.length), text).map(([at, by]) => cursor.slice(0, at) + by + cursor.slice(at + 1)),
  );
}

/** A query string, mostly with known parameters and unexpected values. */
function queryOf({ endpoint, example, cursor }: Template) {
  const known = propertiesOf(endpoint.query);
  const cursors = cursor === null ? text : fc.oneof(fc.constant(cursor), forgedCursor(cursor));
  const pair = fc.oneof(
    ...known.map(([name, values]) =>
      fc.tuple(fc.constant(name), name === "cursor" ? cursors : fc.oneof(text, fc.constantFrom("1", ...values))),
    ),
    fc.tuple(text, text),
  );
  const given = Object.entries(example.query ?? {}).map(([name, value]) => `${encoded(name)}=${encoded(value)}`);
  const pairs = fc.array(
    pair.map(([name, value]) => `${encoded(name)}=${encoded(value)}`),
    { maxLength: 4 },
  );
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant(given.join("&")) },
    { weight: 6, arbitrary: pairs.map((more) => [...given, ...more].join("&")) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        "?",
        "&&",
        "=",
        "%",
        "%zz=%",
        "a=%ff%fe",
        "a[]=1",
        "a=1&a=2",
        "+=+",
        "x".repeat(9_000),
      ),
    },
  );
}

const segment = fc.oneof(
  text.map(encoded),
  fc.constantFrom(
    "%",
    "%2F",
    "%00",
    "%zz",
    "%e2%82",
    "..",
    "%2e%2e",
    ".",
    "",
    ";a=1",
    "\\",
    "a:b",
    "{id}",
    "[id]",
    "-",
    "_next",
  ),
);

function pathOf({ endpoint, example }: Template) {
  const fill = (text: string) =>
    endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => text || (example.params?.[name] ?? ""));
  const good = fc.constant(fill(""));
  return fc.oneof(
    { weight: 12, arbitrary: good },
    { weight: 3, arbitrary: segment.map((each) => fill(each)) },
    { weight: 1, arbitrary: segment.map((each) => `${fill("")}/${each}`) },
    { weight: 1, arbitrary: fc.constantFrom(fill("").toUpperCase(), `/${fill("")}`, `${fill("")}/`, `${fill("")}//`) },
  );
}

function bodyOf({ endpoint, example }: Template) {
  const { body } = example;
  if (typeof body === "string") return fc.oneof(fc.constant(body), text);
  const known = propertiesOf(endpoint.body).map(([name]) => [name] as Path);
  const places = [...placesIn(body ?? {}), ...known];
  const mutated = fc
    .array(fc.tuple(fc.constantFrom(...places), json), { minLength: 1, maxLength: 3 })
    .map((changes) => changes.reduce<unknown>((value, [at, by]) => replaced(value, at, by), body ?? {}))
    .map((value) => JSON.stringify(value));
  const whole = JSON.stringify(body ?? {});
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant(whole) },
    { weight: 8, arbitrary: mutated },
    { weight: 1, arbitrary: fc.nat(whole.length).map((end) => whole.slice(0, end)) },
    { weight: 1, arbitrary: json.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: text },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        "[".repeat(20_000),
        `${'{"a":'.repeat(3_000)}1${"}".repeat(3_000)}`,
        `{${Array.from({ length: 2_000 }, (_, n) => `"f${n}":1`).join()}}`,
        '{"__proto__":{"permission":"admin"},"constructor":{"prototype":{}}}',
        '{"name":"a","name":"b"}',
        `{"name":"${"x".repeat(50_000)}"}`,
        `{"n":1${"0".repeat(400)}}`,
      ),
    },
  );
}

/** Values of headers that may be sent: visible Latin-1. */
const headerText = fc
  .oneof(text, fc.string({ unit: "binary", maxLength: 30 }))
  .map((value) => value.replace(/[^\x20-\x7e\x80-\xff]/g, "?").trim());

const headerSets = fc.array(
  fc.oneof(
    fc.tuple(
      fc.constantFrom(
        ...["accept", "accept-language", "cookie", "origin", "referer", "user-agent", "range", "if-match"],
        ...[
          "x-forwarded-for",
          "x-forwarded-host",
          "x-forwarded-proto",
          "forwarded",
          "host",
          "content-type",
          "idempotency-key",
        ],
        ...[
          "last-event-id",
          "next-action",
          "rsc",
          "x-middleware-subrequest",
          "x-http-method-override",
          "stripe-signature",
        ],
        ...[
          "content-encoding",
          "sec-fetch-site",
          "if-none-match",
          "x-request-id",
          "upgrade-insecure-requests",
          "via",
          "te",
        ],
      ),
      headerText,
    ),
    fc.tuple(
      fc.constant("content-type"),
      fc.constantFrom("application/json; charset=utf-16", "APPLICATION/JSON", "text/plain", "multipart/form-data", ""),
    ),
    fc.tuple(
      fc.constant("x-forwarded-for"),
      fc.constantFrom("", ",", "unknown", "::1", "192.0.2.1, 127.0.0.1", "a".repeat(4_000)),
    ),
  ),
  { maxLength: 3 },
);

const methods = fc.constantFrom(
  "GET",
  "POST",
  "PUT",
  "DELETE",
  "PATCH",
  "HEAD",
  "OPTIONS",
  "TRACE",
  "PROPFIND",
  "SEARCH",
);

/** A random request to the API that HTTP allows. */
export function anyRequest(templates: readonly Template[], credentials: readonly Record<string, string>[]) {
  const of = (template: Template) =>
    fc
      .record({
        method: fc.oneof(
          { weight: 9, arbitrary: fc.constant<string>(template.endpoint.method) },
          { weight: 1, arbitrary: methods },
        ),
        path: pathOf(template),
        query: queryOf(template),
        body: bodyOf(template),
        // Sometimes a GET has a body.
        bodied: template.endpoint.method === "GET" ? fc.nat(20).map((n) => n === 0) : fc.nat(20).map((n) => n > 0),
        credential: fc.constantFrom(...credentials),
        more: headerSets,
      })
      .map(
        ({ method, path, query, body, bodied, credential, more }): Sent => ({
          method,
          target: API_PREFIX + path.replace(/[^\x21-\x7e]/g, "?") + (query === "" ? "" : `?${query}`),
          headers: {
            ...(bodied && { "content-type": "application/json" }),
            ...template.example.headers,
            ...Object.fromEntries(more),
            ...credential,
          },
          ...(bodied && { body }),
        }),
      );
  return fc.oneof(...templates.map(of));
}
