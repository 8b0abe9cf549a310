import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newSink, type Sink, type SinkArrival } from "@/e2e/support/stand-ins/sink";
import { batchOf, DESTINATION_ID, expired, failureOf, sendBatch } from "@/server/testing/send-batch";
import { SENT_ORIGIN, sentEvent } from "@/server/testing/sent-events";

const TOKEN = "11111111-2222-3333-4444-555555555555";
const GUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

interface HecEvent {
  time: number;
  host: string;
  source: string;
  sourcetype: string;
  index?: string;
  event: unknown;
  fields: Record<string, string>;
}

let sink: Sink;
let indexed: HecEvent[] = [];
/** How often an acknowledgement is refused before it is given; null without indexer acknowledgement. */
let refusedAcks: number | null = null;
let nextAck = 0;

/** Events that follow each other, with or without white space, as the collector reads them. */
function eventsIn(text: string): HecEvent[] {
  const lines = text.split("\n").map((line) => JSON.parse(line) as HecEvent);
  for (const { time, host, source, sourcetype, event, fields, index, ...others } of lines) {
    expect(others).toEqual({});
    expect(Number.isFinite(time)).toBe(true);
    for (const text of [host, source, sourcetype, index ?? "main"]) expect(text).toMatch(/^\S+$/);
    expect([undefined, null, ""]).not.toContain(event);
    for (const value of Object.values(fields)) expect(typeof value).toBe("string");
  }
  return lines;
}

/** Judges by Splunk's documentation: "Format events for HTTP Event Collector" and "HTTP Event Collector REST API endpoints". */
function judge({ method, path, headers, text, query }: SinkArrival) {
  const channel = headers["x-splunk-request-channel"] ?? query.get("channel");
  if (method !== "POST") return { status: 405, body: "" };
  if (headers.authorization !== `Splunk ${TOKEN}`) return { status: 403, body: { text: "Invalid token", code: 4 } };
  if (refusedAcks !== null && channel === null)
    return { status: 400, body: { text: "Data channel is missing", code: 10 } };
  if (channel !== null && !GUID.test(String(channel)))
    return { status: 400, body: { text: "Invalid data channel", code: 11 } };
  if (path === "/services/collector/ack") {
    if (refusedAcks === null) return { status: 400, body: { text: "ACK is disabled", code: 14 } };
    const { acks } = JSON.parse(text) as { acks: number[] };
    const isGiven = refusedAcks === 0;
    refusedAcks = Math.max(0, refusedAcks - 1);
    return { status: 200, body: { acks: Object.fromEntries(acks.map((id) => [String(id), isGiven])) } };
  }
  if (path !== "/services/collector/event")
    return { status: 404, body: { text: "The requested URL was not found", code: 404 } };
  if (text === "") return { status: 400, body: { text: "No data", code: 5 } };
  indexed.push(...eventsIn(text));
  const ack = refusedAcks === null ? {} : { ackId: nextAck++ };
  return { status: 200, body: { text: "Success", code: 0, ...ack } };
}

beforeAll(async () => {
  sink = await newSink(judge);
});
afterAll(() => sink.close());
beforeEach(() => {
  indexed = [];
  refusedAcks = null;
  sink.arrivals.length = 0;
  sink.next.length = 0;
});

const send = (batch = batchOf(3), more: object = {}, settings: object = {}) =>
  sendBatch(batch, { type: "splunk", settings: { url: sink.url, ...settings }, secrets: { token: TOKEN }, ...more });

describe("events", () => {
  test("are sent with their time, and where in the log they are", async () => {
    await send();
    expect(indexed).toHaveLength(3);
    expect(indexed[0]).toEqual({
      time: Date.parse(sentEvent.occurred_at) / 1000,
      host: "sealwatch.example.com",
      source: "sealwatch",
      sourcetype: "sealwatch:audit",
      event: expect.objectContaining({ request: sentEvent.request, seal: sentEvent.seal }),
      fields: { log_origin: SENT_ORIGIN, log_epoch: "1", log_index: "7", event_id: expect.any(String) },
    });
    expect(sink.arrivals[0]?.headers).toMatchObject({
      "content-type": "application/json",
      "x-splunk-request-channel": DESTINATION_ID,
    });
  });

  test.each([
    ["ocsf", "sealwatch:ocsf", { class_uid: 3001 }],
    ["ecs", "sealwatch:ecs", { ecs: { version: "8.11.0" } }],
  ] as const)("are sent as %s", async (format, sourcetype, shape) => {
    await send(batchOf(1), { format });
    expect(indexed[0]).toMatchObject({ sourcetype, event: shape });
  });

  test("are sent as lines of CEF, to the index and with the source type of the settings", async () => {
    await send(batchOf(1), { format: "cef" }, { index: "audit", sourcetype: "my:cef" });
    expect(indexed[0]).toMatchObject({
      index: "audit",
      sourcetype: "my:cef",
      event: expect.stringMatching(/^CEF:0\|/),
    });
  });

  test("are preceded by what was not sent, in the order of the log", async () => {
    await send(batchOf(1, {}, [expired]));
    expect(indexed.map(({ event }) => event)).toMatchObject([{ omitted: { first: 2, end: 7, reason: "expired" } }, {}]);
    const at = { log_origin: SENT_ORIGIN, log_epoch: "1" };
    expect(indexed[0]?.fields).toEqual({ ...at, log_index: "2", log_end: "7" });
  });

  test("and ranges that are not sent each have an index of their own in every format", async () => {
    for (const format of ["sealwatch", "ocsf", "ecs", "cef"] as const) {
      indexed = [];
      await send(batchOf(2, {}, [expired]), { format });
      expect(indexed.map(({ fields }) => fields.log_index)).toEqual(["2", "7", "8"]);
    }
  });

  test("that are many are sent in several compressed requests, none over 1 MB", async () => {
    await send(batchOf(1000, { details: { resource_name: "x".repeat(2000) } }));
    expect(sink.arrivals.length).toBeGreaterThan(2);
    for (const { text, headers } of sink.arrivals) {
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1_000_000);
      expect(headers["content-encoding"]).toBe("gzip");
    }
    expect(indexed.map(({ fields }) => fields.log_index)).toEqual(
      Array.from({ length: 1000 }, (_, at) => String(7 + at)),
    );
  });

  test("go to the collector, whatever path the address has", async () => {
    for (const path of ["", "/", "/services/collector", "/services/collector/event"])
      await send(batchOf(1), {}, { url: `${sink.url}${path}` });
    expect(sink.arrivals.map(({ path }) => path)).toEqual(Array(4).fill("/services/collector/event"));
  });
});

describe("acknowledgement", () => {
  test("is waited for where the token has it", async () => {
    refusedAcks = 2;
    await send();
    const asked = sink.arrivals.slice(1);
    expect(asked.map(({ path }) => path)).toEqual(Array(3).fill("/services/collector/ack"));
    expect(asked[0]?.headers["x-splunk-request-channel"]).toBe(DESTINATION_ID);
  });

  test("is waited for each request", async () => {
    refusedAcks = 1;
    const first = nextAck;
    await send(batchOf(1000, { details: { resource_name: "x".repeat(2000) } }));
    const asked = JSON.parse(sink.arrivals.at(-1)?.text ?? "{}") as { acks: number[] };
    expect(asked.acks).toEqual(Array.from({ length: nextAck - first }, (_, at) => first + at));
  });

  test("that is not given ends with the attempt", async () => {
    refusedAcks = Number.POSITIVE_INFINITY;
    const controller = new AbortController();
    const sent = send(batchOf(1), { signal: controller.signal });
    while (sink.arrivals.length < 3) await new Promise((resolve) => setImmediate(resolve));
    controller.abort(new Error("time is up"));
    await expect(sent).rejects.toThrow(/time is up|aborted/);
  });

  test("that is not an acknowledgement is a failure", async () => {
    sink.next.push({ status: 200, body: { text: "Success", code: 0, ackId: 0 } }, { status: 200, body: "<html>" });
    expect(await failureOf(send())).toMatchObject({ message: "the response does not acknowledge events", status: 200 });
  });
});

describe("a failure", () => {
  test("says what the collector says", async () => {
    const sent = sendBatch(batchOf(1), { type: "splunk", settings: { url: sink.url }, secrets: { token: "wrong" } });
    expect(await failureOf(sent)).toMatchObject({ message: "HTTP status 403: Invalid token (code 4)", status: 403 });
  });

  test("names the first event that was not taken", async () => {
    const body = { text: "Incorrect index", code: 7, "invalid-event-number": 1 };
    sink.next.push({ status: 400, body });
    expect((await failureOf(send())).message).toBe("HTTP status 400: Incorrect index (code 7) at entry 8");
  });

  test("has the wait that the collector requests", async () => {
    sink.next.push({ status: 503, headers: { "retry-after": "30" }, body: { text: "Server is busy", code: 9 } });
    expect(await failureOf(send())).toMatchObject({
      message: "HTTP status 503: Server is busy (code 9)",
      retryAfterMs: 30_000,
    });
  });
});
