import { readFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newSink, type Sink, type SinkArrival } from "@/e2e/support/stand-ins/sink";
import { elasticShape } from "@/lib/destinations/kinds/elastic/shape";
import { batchOf, expired, failureOf, sendBatch } from "@/server/testing/send-batch";
import { SENT_ORIGIN, sentEvent } from "@/server/testing/sent-events";

const INDEX = "logs-sealwatch.audit-default";
const KEY = "ZW5jb2RlZDprZXk=";

let sink: Sink;
let documents = new Map<string, Record<string, unknown>>();
/** Documents of these ids are refused, with a status and a type of error. */
let refused = new Map<string, { status: number; type: string }>();

/** Judges by Elasticsearch's documentation of `_bulk` and of data streams. */
function judge({ method, path, query, headers, text }: SinkArrival) {
  const isKnown = [`ApiKey ${KEY}`, `Basic ${Buffer.from("sealwatch:secret").toString("base64")}`].includes(
    headers.authorization ?? "",
  );
  if (!isKnown) return { status: 401, body: { error: { type: "security_exception" }, status: 401 } };
  if (method !== "POST" || path !== `/${INDEX}/_bulk`) return { status: 404, body: { error: "no handler" } };
  if (headers["content-type"] !== "application/x-ndjson") return { status: 406, body: { error: "Content-Type" } };
  if (!text.endsWith("\n")) return { status: 400, body: { error: { type: "illegal_argument_exception" } } };
  const lines = text
    .slice(0, -1)
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const items: object[] = [];
  for (let at = 0; at < lines.length; at += 2) items.push({ create: createdBy(lines[at], lines[at + 1]) });
  expect(query.get("filter_path")).toBe("errors,items.*.status,items.*.error.type");
  return { status: 200, body: { errors: items.some((each) => JSON.stringify(each).includes("error")), items } };
}

function createdBy(action: Record<string, unknown> = {}, document: Record<string, unknown> = {}): object {
  expect(Object.keys(action)).toEqual(["create"]);
  const { _id: id } = action.create as { _id: string };
  expect(Buffer.byteLength(id)).toBeLessThanOrEqual(512);
  const refusal = refused.get(id);
  if (refusal) return { status: refusal.status, error: { type: refusal.type } };
  if (documents.has(id)) return { status: 409, error: { type: "version_conflict_engine_exception" } };
  if (Number.isNaN(Date.parse(String(document["@timestamp"])))) {
    return { status: 400, error: { type: "document_parsing_exception" } };
  }
  documents.set(id, document);
  return { status: 201 };
}

beforeAll(async () => {
  sink = await newSink(judge);
});
afterAll(() => sink.close());
beforeEach(() => {
  documents = new Map();
  refused = new Map();
  sink.arrivals.length = 0;
  sink.next.length = 0;
});

const send = (batch = batchOf(3), more: object = {}, settings: object = {}) =>
  sendBatch(batch, { type: "elastic", settings: { url: sink.url, ...settings }, secrets: { api_key: KEY }, ...more });

describe("documents", () => {
  test("are created with the event's id, as ECS", async () => {
    const batch = batchOf(3);
    await send(batch);
    expect([...documents.keys()]).toEqual(batch.events.map(({ id }) => id));
    expect(documents.get(batch.events[0]?.id ?? "")).toMatchObject({
      "@timestamp": sentEvent.occurred_at,
      ecs: { version: "8.11.0" },
      event: { sequence: 7 },
    });
  });

  test("that exist already are not a failure, so that a repeat changes nothing", async () => {
    await send(batchOf(2));
    await send(batchOf(4));
    expect(documents.size).toBe(4);
  });

  test.each(["sealwatch", "ocsf"] as const)(
    "in the format %s have the time that data streams require",
    async (format) => {
      await send(batchOf(1, {}, [expired]), { format });
      expect([...documents.values()].map((each) => each["@timestamp"])).toEqual([
        "2026-11-21T08:25:58.784Z",
        sentEvent.occurred_at,
      ]);
      expect([...documents.keys()][0]).toBe(`${SENT_ORIGIN}:1:2-6`);
    },
  );

  test("that are many are created in several requests", async () => {
    await send(batchOf(1000));
    expect(sink.arrivals).toHaveLength(2);
    expect(sink.arrivals[0]?.headers["content-encoding"]).toBe("gzip");
    expect(documents.size).toBe(1000);
  });

  test("are created with a user name and a password, too", async () => {
    const secrets = { password: "secret" };
    await send(batchOf(1), { secrets }, { username: "sealwatch", url: `${sink.url}/` });
    expect((await failureOf(send(batchOf(1), { secrets: {} }, { username: "sealwatch" }))).message).toBe(
      "a user name needs a password, and a password a user name",
    );
  });
});

test("the template of the documentation is for the default index, and takes details of any type", () => {
  const page = readFileSync("docs/operations/destinations.md", "utf8");
  const shown = /PUT \/_index_template\/sealwatch\n([\s\S]+?)```/.exec(page)?.[1] ?? "";
  const { index_patterns, template } = JSON.parse(shown) as {
    index_patterns: string[];
    template: { mappings: object };
  };
  const { index } = elasticShape.settings.parse({ url: sink.url });
  expect(index_patterns.map((pattern) => pattern.replace(/\*$/, "")).some((start) => index.startsWith(start))).toBe(
    true,
  );
  expect(template.mappings).toMatchObject({
    date_detection: false,
    properties: { "@timestamp": { type: "date" }, details: { type: "flattened", ignore_above: 1024 } },
  });
});

describe("a failure", () => {
  test("names the documents that were refused, while the others are created", async () => {
    const batch = batchOf(3);
    refused.set(batch.events[1]?.id ?? "", { status: 400, type: "document_parsing_exception" });
    expect(await failureOf(send(batch))).toMatchObject({
      message: "1 of 3 documents were refused: document_parsing_exception, status 400, first entry 8",
      status: 200,
    });
    expect(documents.size).toBe(2);
  });

  test.each(["document_parsing_exception", "mapper_parsing_exception"])(
    "of the mapping, a %s, names the template that events as they are need",
    async (type) => {
      const batch = batchOf(1);
      refused.set(batch.events[0]?.id ?? "", { status: 400, type });
      const { message } = await failureOf(send(batch, { format: "sealwatch" }));
      expect(message).toBe(
        `1 of 1 documents were refused: ${type}, status 400, first entry 7; this format may need the index template of docs/operations/destinations.md`,
      );
      expect((await failureOf(send(batch, { format: "ocsf" }))).message).toMatch(/first entry 7$/);
    },
  );

  test("of an overloaded cluster fails the batch until all are created", async () => {
    const batch = batchOf(3);
    for (const { id } of batch.events) refused.set(id, { status: 429, type: "es_rejected_execution_exception" });
    expect((await failureOf(send(batch))).message).toMatch(/^3 of 3 documents were refused: es_rejected_execution/);
    refused.clear();
    await send(batch);
  });

  test("of the credentials has the status", async () => {
    expect(await failureOf(send(batchOf(1), { secrets: {} }))).toMatchObject({
      message: "HTTP status 401",
      status: 401,
    });
  });

  test("of an answer that says nothing of a document", async () => {
    sink.next.push({ status: 200, body: { errors: false, items: [{ create: { status: 201 } }] } });
    expect((await failureOf(send())).message).toBe("unexpected response: not that of a bulk request");
  });
});
