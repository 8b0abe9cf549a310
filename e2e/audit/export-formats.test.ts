import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { parseCsv } from "@/e2e/audit/csv";
import { exportWhenFree, finishOf, parseNdjson, sha256 } from "@/e2e/audit/export-files";
import { anyEvent, anyFilters, idAtTime } from "@/e2e/audit/generate";
import { listed } from "@/e2e/audit/model/model";
import { whenSigned } from "@/e2e/audit/sealed/sealing";
import { Stream } from "@/e2e/audit/sse";
import { query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { newSession, type SignedIn } from "@/e2e/support/session";
import { AuditEventDraft, type AuditRow } from "@/lib/audit-logs/audit-event-draft";
import type { AuditEvent, AuditEventWithBody } from "@/lib/audit-logs/contract";
import { append } from "@/lib/audit-logs/write/append";
import { auditPool } from "@/lib/db/audit";
import { newId } from "@/lib/ids";
import { DAY_MS } from "@/lib/time/units";

const SEED = 20_261_123;
const start = Date.now();
const before = new Date(start).toISOString();
const server = sharedServer();
let someone: SignedIn;

/** Values that are difficult for spreadsheets, CSV, JSON or PostgreSQL. */
const bodies: Record<string, Buffer> = {
  empty: Buffer.alloc(0),
  json: Buffer.from('{"name":"Über, \\"quoted\\"", "n": 1}'),
  lines: Buffer.from('a\r\nb\nc\rd,"e"\n\n"'),
  formula: Buffer.from("=cmd|' /C calc'!A0"),
  backslash: Buffer.from("\\.\n\\N\\\\"),
  controls: Buffer.from("\u0001\u0002\u001f\u007f\t"),
  nul: Buffer.from("a\0b"),
  mark: Buffer.from("\ufeffmarked"),
  binary: Buffer.from([0xff, 0xfe, 0x00, 0x80, 0xc3]),
  surrogate: Buffer.from([0xed, 0xa0, 0x80]),
  long: Buffer.from("0123456789\n".repeat(60_000)),
  "long binary": Buffer.alloc(300_000, 0xfe),
};
const formulas = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "'=1", 'plain, with "quotes"\r\nand lines'];

async function fill(organizationId: string): Promise<AuditRow[]> {
  const time = fc.integer({ min: start - 20 * DAY_MS, max: start - 10_000 });
  const generated = fc.sample(anyEvent(organizationId, 30, time), { seed: SEED, numRuns: 250 });
  const special = (index: number, known: Partial<AuditRow>) =>
    new AuditEventDraft({
      ...{ organization_id: organizationId, method: "POST", path: "/special" },
      ...{ id: idAtTime(start - 1_000 + index, Buffer.alloc(16, index)) },
      ...known,
    }).row;
  const withFormulas = formulas.map((text, index) =>
    special(index, { user_agent: text, query: text, api_key_id: newId(), api_key_name: text, resource_id: text }),
  );
  const withBodies = Object.values(bodies).map((body, index) => ({
    row: special(100 + index, { body_size: body.length, details: { odd: "\u0000\ud800 é", list: [1, null] } }),
    body: body.length > 0 ? body : null,
  }));
  const rows = [...generated, ...withFormulas];
  await append(auditPool(), [...rows.map((row) => ({ row, body: null })), ...withBodies]);
  return [...rows, ...withBodies.map(({ row }) => row)];
}

let rows: AuditRow[];

beforeAll(async () => {
  someone = await newSession(server);
  rows = await fill(someone.organizationId);
  await whenSigned(
    someone.organizationId,
    rows.map(({ id }) => id),
  );
});

const file = (options: Record<string, string>) => exportWhenFree(server, someone, options);
const read = async (options: Record<string, string>) => (await file(options)).read();

/** All events of the list up to the start of the test, oldest first. */
async function list(): Promise<AuditEvent[]> {
  const items: AuditEvent[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const page = new URLSearchParams({ order: "asc", limit: "200", until: before, ...(cursor && { cursor }) });
    const answer = await someone.api.get<AuditEvent[]>(`/audit-logs?${page}`);
    items.push(...answer.data);
    cursor = answer.pagination.next_cursor;
  }
  return items;
}

/** `{a: {b: 1}}` → `a_b: "1"`, as cells of a table that no spreadsheet runs. */
function flatten(value: unknown, name: string): [string, string][] {
  if (name === "details") return [[name, value === null ? "" : JSON.stringify(value)]];
  if (Array.isArray(value)) return [[name, value.join(" ")]];
  if (typeof value === "object" && value !== null) {
    return Object.entries(value).flatMap(([key, part]) => flatten(part, name === "" ? key : `${name}_${key}`));
  }
  const text = value === null ? "" : String(value);
  return [[name, /^[=+\-@\t\r]/.test(text) && typeof value === "string" ? `'${text}` : text]];
}

describe("a file has the content of the list", () => {
  test("NDJSON, with a trailer that shows that it is complete", async () => {
    const opened = await file({ format: "ndjson", until: before });
    const bytes = await opened.read();
    const { events, trailer, content } = parseNdjson(bytes);
    expect(events).toEqual(await list());
    expect(events).toHaveLength(rows.length);
    const summary = { rows: events.length, sha256: sha256(content) };
    expect(trailer).toEqual({ export: summary });
    expect(opened.headers["content-type"]).toMatch(/^application\/x-ndjson/);
    expect(opened.headers["content-disposition"]).toMatch(
      /^attachment; filename="sealwatch-audit-\d{4}-\d\d-\d\d\.ndjson"$/,
    );
    const finish = await finishOf(server, opened);
    expect(finish.details).toEqual({ format: "ndjson", ...summary, complete: true });
    expect(finish).toMatchObject({ method: null, path: null, status_code: null, flags: [], user_id: someone.userId });
  });

  test("a JSON array", async () => {
    const opened = await file({ format: "json", until: before });
    const bytes = await opened.read();
    expect(JSON.parse(bytes.toString())).toEqual(await list());
    const { details } = await finishOf(server, opened);
    expect(details).toEqual({ format: "json", rows: rows.length, sha256: sha256(bytes), complete: true });
  });

  test("CSV by RFC 4180, the fields flattened, no cell a formula", async () => {
    const opened = await file({ format: "csv", until: before });
    const bytes = await opened.read();
    const [header = [], ...records] = parseCsv(bytes.toString("utf8"));
    const items = await list();
    const cells = items.map((item) => new Map(flatten(item, "")));
    const fullest = items.find(({ request, authentication: a }) => request && a?.api_key && a.user);
    expect(header).toEqual(flatten(fullest, "").map(([name]) => name));
    const details = header.indexOf("details");
    for (const [index, record] of records.entries()) {
      const expected = header.map((name) => cells[index]?.get(name) ?? "");
      const sort = (text = "") => (text === "" ? "" : JSON.stringify(Object.entries(JSON.parse(text)).sort()));
      expect(sort(record[details])).toBe(sort(expected[details]));
      expect(record.toSpliced(details, 1)).toEqual(expected.toSpliced(details, 1));
    }
    expect(records).toHaveLength(rows.length);
    for (const text of formulas) {
      const cell = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
      expect(records.filter((record) => record[header.indexOf("request_query")] === cell)).not.toEqual([]);
    }
    expect((await finishOf(server, opened)).details).toMatchObject({
      rows: rows.length,
      sha256: sha256(bytes),
      complete: true,
    });
  });

  test("with exact bodies, like the single event", async () => {
    const asked = { include: "body", path: "/special", until: before };
    const { events } = parseNdjson(await read({ ...asked, format: "ndjson" }));
    const array = JSON.parse((await read({ ...asked, format: "json" })).toString());
    expect(array).toEqual(events);
    const [header = [], ...records] = parseCsv((await read({ ...asked, format: "csv" })).toString());
    const wanted = Object.values(bodies);
    const withBody = events.filter(({ request }) => request?.body_size !== null);
    expect(withBody).toHaveLength(wanted.length);
    for (const [index, event] of withBody.entries()) {
      const { body, body_encoding } = event.request ?? {};
      expect(wanted[index]?.equals(Buffer.from(body ?? "", body_encoding ?? "utf8"))).toBe(true);
      expect((await someone.api.get<AuditEventWithBody>(`/audit-logs/${event.id}`)).data).toEqual(event);
      const record = records.find(([id]) => id === event.id) ?? [];
      const cell = `${body?.startsWith("=") ? "'" : ""}${body}`;
      expect(record[header.indexOf("request_body")]).toBe(cell);
      expect(record[header.indexOf("request_body_encoding")]).toBe(body_encoding);
    }
  });

  test("for the same filters", async () => {
    const times = [start - 5 * DAY_MS, start - DAY_MS];
    const generated = fc.sample(anyFilters(times), { seed: SEED, numRuns: 40 });
    for (const filters of generated) {
      const asked = { ...filters, until: filters.until ?? before };
      const { events } = parseNdjson(await read({ ...asked, format: "ndjson" }));
      expect(events.map(({ id }) => id)).toEqual(listed(rows, asked, "asc"));
    }
  });

  test.each(["csv", "json", "ndjson"])("without events is a complete %s file, too", async (format) => {
    const opened = await file({ format, path: "/nowhere" });
    const text = (await opened.read()).toString();
    if (format === "csv") expect(parseCsv(text)).toHaveLength(1);
    if (format === "json") expect(JSON.parse(text)).toEqual([]);
    if (format === "ndjson") expect(parseNdjson(Buffer.from(text)).events).toEqual([]);
    expect((await finishOf(server, opened)).details).toMatchObject({ rows: 0, complete: true });
  });

  test("begins with a byte order mark if asked for one, which is part of the digest", async () => {
    const opened = await file({ format: "csv", bom: "true", path: "/nowhere" });
    const bytes = await opened.read();
    expect([...bytes.subarray(0, 4)]).toEqual([0xef, 0xbb, 0xbf, "i".charCodeAt(0)]);
    const details = { format: "csv", rows: 0, sha256: sha256(bytes), complete: true };
    expect((await finishOf(server, opened)).details).toMatchObject(details);
  });
});

test("an event has one shape in the list, by id, in every file and in the stream, however unusual it is", async () => {
  const odd = await newSession(server);
  const { organizationId } = odd;
  const own = (known: Partial<AuditRow>) => new AuditEventDraft({ organization_id: organizationId, ...known }).row;
  const first = own({ method: "GET", path: "/first" });
  const rows = [
    own({ method: "GET", path: null }),
    own({ method: null, path: "/no-method" }),
    own({ method: "", path: "" }),
    own({ method: "POST", path: "/x", flags: ["key_created"], body_size: 0 }),
    own({
      method: "GET",
      path: "/y",
      flags: ["interrupted"],
      response_time_us: 1,
      api_key_id: newId(),
      user_id: newId(),
    }),
    own({ method: "GET", path: "/z", details: { list: [1, null] }, action: "api_key.list", ip_address: "2001:db8::1" }),
  ];
  await append(
    auditPool(),
    [first, ...rows].map((row) => ({ row, body: null })),
  );
  // As stored by a release with other security flags.
  const flip =
    "UPDATE audit_events SET is_security_event = NOT is_security_event WHERE organization_id = $1 AND path IN ('/x', '/y')";
  await query(server, "audit", flip, [organizationId]);
  const ids = new Set(rows.map(({ id }) => id));
  await whenSigned(organizationId, [...ids]);
  const ours = <Event extends { id: string }>(events: Event[]) => events.filter(({ id }) => ids.has(id));

  const list = ours((await odd.api.get<AuditEvent[]>("/audit-logs?order=asc")).data);
  expect(list).toHaveLength(rows.length);
  expect(list.map(({ request }) => request?.path ?? null)).toEqual(["", null, "", "/x", "/y", "/z"]);
  expect(list.map(({ security }) => security.is_security_event)).toEqual([false, false, false, false, true, false]);
  const stream = await Stream.open(server.url, { cookie: odd.cookie, "last-event-id": first.id });
  await stream.until("all have come", () => ours(stream.events).length === rows.length);
  stream.leave();
  expect(ours(stream.events)).toEqual(list);

  const bodies = { body: expect.anything(), body_encoding: expect.anything() };
  for (const each of list) {
    const { data } = await odd.api.get<AuditEventWithBody>(`/audit-logs/${each.id}`);
    expect({ ...data, request: data.request && { ...data.request, ...bodies } }).toMatchObject(each);
  }
  const files = async (format: string) => (await exportWhenFree(server, odd, { format })).read();
  expect(ours(parseNdjson(await files("ndjson")).events)).toEqual(list);
  expect(ours(JSON.parse((await files("json")).toString()))).toEqual(list);
  const [header = [], ...records] = parseCsv((await files("csv")).toString());
  for (const each of list) {
    const record = records.find(([id]) => id === each.id) ?? [];
    const cells = new Map(flatten(each, ""));
    for (const [index, name] of header.entries()) {
      if (name !== "details") expect([name, record[index]]).toEqual([name, cells.get(name) ?? ""]);
    }
  }
});
