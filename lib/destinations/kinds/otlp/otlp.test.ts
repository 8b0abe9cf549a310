import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newSink, type Sink, type SinkArrival } from "@/e2e/support/stand-ins/sink";
import { type AnyValue, anyValue } from "@/lib/destinations/kinds/otlp/any-value";
import { batchOf, expired, failureOf, NOW, sendBatch } from "@/server/testing/send-batch";
import { SENT_ORIGIN, sentEvent } from "@/server/testing/sent-events";

type Json = Record<string, unknown>;

/** Fields of the messages (github.com/open-telemetry/opentelemetry-proto, logs/v1/logs.proto and what it imports), in lowerCamelCase. */
const messages: Record<string, Record<string, string>> = {
  ExportLogsServiceRequest: { resourceLogs: "ResourceLogs[]" },
  ResourceLogs: { resource: "Resource", scopeLogs: "ScopeLogs[]", schemaUrl: "string" },
  Resource: { attributes: "KeyValue[]", droppedAttributesCount: "uint32" },
  ScopeLogs: { scope: "InstrumentationScope", logRecords: "LogRecord[]", schemaUrl: "string" },
  InstrumentationScope: {
    name: "string",
    version: "string",
    attributes: "KeyValue[]",
    droppedAttributesCount: "uint32",
  },
  LogRecord: {
    ...{ timeUnixNano: "fixed64", observedTimeUnixNano: "fixed64", severityNumber: "severity", severityText: "string" },
    ...{ body: "AnyValue", attributes: "KeyValue[]", flags: "uint32", eventName: "string" },
  },
  KeyValue: { key: "string", value: "AnyValue" },
  AnyValue: {
    ...{ stringValue: "string", boolValue: "bool", intValue: "int64", doubleValue: "double" },
    ...{ arrayValue: "ArrayValue", kvlistValue: "KeyValueList" },
  },
  ArrayValue: { values: "AnyValue[]" },
  KeyValueList: { values: "KeyValue[]" },
};

const scalars: Record<string, (value: unknown) => boolean> = {
  string: (value) => typeof value === "string",
  bool: (value) => typeof value === "boolean",
  double: (value) => typeof value === "number",
  uint32: (value) => Number.isInteger(value),
  int64: (value) => typeof value === "string" && /^-?\d{1,19}$/.test(value),
  fixed64: (value) => typeof value === "string" && /^\d{1,20}$/.test(value),
  severity: (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 24,
};

function faultsOf(value: unknown, type: string): string[] {
  const scalar = scalars[type];
  if (scalar) return scalar(value) ? [] : [`${JSON.stringify(value)} is no ${type}`];
  if (type.endsWith("[]")) {
    return Array.isArray(value) ? value.flatMap((each) => faultsOf(each, type.slice(0, -2))) : [`no ${type}`];
  }
  if (typeof value !== "object" || value === null) return [`${JSON.stringify(value)} is no ${type}`];
  if (type === "AnyValue" && Object.keys(value).length > 1) return ["AnyValue has several values"];
  return Object.entries(value).flatMap(([name, member]) => {
    const of = messages[type]?.[name];
    return of === undefined ? [`${type}.${name} is unknown`] : faultsOf(member, of);
  });
}

/** The JSON value that an AnyValue stands for. */
function jsonOf(value: AnyValue): unknown {
  const [[type, member] = []] = Object.entries(value);
  if (type === "intValue") return Number(member);
  if (type === "arrayValue") return (member as unknown as { values: AnyValue[] }).values.map(jsonOf);
  if (type === "kvlistValue") {
    const { values } = member as unknown as { values: { key: string; value: AnyValue }[] };
    return Object.fromEntries(values.map((each) => [each.key, jsonOf(each.value)]));
  }
  return member ?? null;
}

let sink: Sink;
let records: Json[] = [];

/** Judges by the OTLP specification, "OTLP/HTTP". */
function judge({ method, path, headers, text }: SinkArrival) {
  if (method !== "POST" || path !== "/v1/logs") return { status: 404, body: { message: "not found" } };
  if (headers["content-type"] !== "application/json") return { status: 415, body: { message: "content type" } };
  const request = JSON.parse(text) as { resourceLogs: { scopeLogs: { logRecords: Json[] }[] }[] };
  const faults = faultsOf(request, "ExportLogsServiceRequest");
  if (faults.length > 0) return { status: 400, body: { message: faults.join("; ") } };
  records.push(...request.resourceLogs.flatMap(({ scopeLogs }) => scopeLogs.flatMap(({ logRecords }) => logRecords)));
  return { status: 200, body: {} };
}

beforeAll(async () => {
  sink = await newSink(judge);
});
afterAll(() => sink.close());
beforeEach(() => {
  records = [];
  sink.arrivals.length = 0;
  sink.next.length = 0;
});

const send = (batch = batchOf(3), more: object = {}, settings: object = {}) =>
  sendBatch(batch, { type: "otlp", settings: { url: `${sink.url}/v1/logs`, ...settings }, ...more });

describe("log records", () => {
  test.each(["sealwatch", "ocsf", "ecs"] as const)("follow the protocol as %s", async (format) => {
    await send(batchOf(3, {}, [expired]), { format });
    expect(records).toHaveLength(4);
  });

  test("have the event as their body, its time and severity, and an id by which receivers drop duplicates", async () => {
    const batch = batchOf(1);
    await send(batch);
    const { body, ...record } = records[0] as { body: AnyValue };
    expect(record).toEqual({
      timeUnixNano: `${Date.parse(sentEvent.occurred_at)}000000`,
      observedTimeUnixNano: `${NOW}000000`,
      severityNumber: 10,
      severityText: "low",
      eventName: "api_key.create",
      attributes: [
        { key: "log.record.uid", value: { stringValue: batch.events[0]?.id } },
        { key: "sealwatch.log.index", value: { intValue: "7" } },
        { key: "sealwatch.log.epoch", value: { intValue: "1" } },
      ],
    });
    expect(jsonOf(body)).toEqual(batch.events[0]);
    expect(sink.arrivals[0]?.text).toContain(SENT_ORIGIN);
  });

  test("carry every JSON value without loss", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const parsed = JSON.parse(JSON.stringify(value)) as unknown;
        expect(faultsOf(anyValue(parsed), "AnyValue")).toEqual([]);
        expect(JSON.stringify(jsonOf(anyValue(parsed)))).toBe(JSON.stringify(parsed));
      }),
    );
  });

  test("that are many are sent in several requests below 4 MiB", async () => {
    await send(batchOf(1000, { details: { resource_name: "x".repeat(6000) } }));
    expect(sink.arrivals.length).toBeGreaterThan(1);
    for (const { text } of sink.arrivals) expect(Buffer.byteLength(text)).toBeLessThan(4 * 1024 * 1024);
    expect(records).toHaveLength(1000);
  });

  test("are sent with the header of the settings", async () => {
    await send(batchOf(1), { secrets: { header_value: "Bearer secret" } });
    await send(batchOf(1), { secrets: { header_value: "secret" } }, { header: "X-Api-Key" });
    expect(sink.arrivals.map(({ headers }) => [headers.authorization, headers["x-api-key"]])).toEqual([
      ["Bearer secret", undefined],
      [undefined, "secret"],
    ]);
  });
});

describe("an answer", () => {
  test.each([
    ["a number", 2],
    ["a text", "2"],
  ])("with rejected records, as %s, is a failure that names their count", async (_, rejectedLogRecords) => {
    const partialSuccess = { rejectedLogRecords, errorMessage: "too\nold" };
    sink.next.push({ status: 200, body: { partialSuccess } });
    expect(await failureOf(send())).toMatchObject({ message: "2 of 3 records were rejected: too old", status: 200 });
  });

  test.each<[string, { status: number; body?: unknown }]>([
    ["without content", { status: 204 }],
    ["201 without content, as Fluent Bit answers,", { status: 201 }],
    [
      "with a warning alone",
      { status: 200, body: { partialSuccess: { rejectedLogRecords: "0", errorMessage: "hm" } } },
    ],
    ["with no partial success", { status: 200, body: { partialSuccess: null } }],
  ])("%s takes all", async (_, reply) => {
    sink.next.push(reply);
    await expect(send()).resolves.toBeUndefined();
  });
});
