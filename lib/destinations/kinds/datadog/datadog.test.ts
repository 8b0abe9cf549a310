import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { newSink, type Sink, type SinkArrival } from "@/e2e/support/stand-ins/sink";
import { intakeUrl } from "@/lib/destinations/kinds/datadog/shape";
import { HOUR_MS } from "@/lib/time/units";
import { batchOf, expired, failureOf, NOW, sendBatch } from "@/server/testing/send-batch";
import { SENT_ORIGIN, sentEvent } from "@/server/testing/sent-events";

const KEY = "0123456789abcdef0123456789abcdef";

let sink: Sink;
let logs: Record<string, unknown>[] = [];

/** Judges by Datadog's documentation of "Send logs", version 2. */
function judge({ method, path, headers, text }: SinkArrival) {
  if (headers["dd-api-key"] === undefined)
    return { status: 401, body: { errors: [{ status: "401", title: "Unauthorized" }] } };
  if (headers["dd-api-key"] !== KEY) return { status: 403, body: { errors: [{ status: "403", title: "Forbidden" }] } };
  if (method !== "POST" || path !== "/api/v2/logs") return { status: 404, body: {} };
  if (Buffer.byteLength(text) > 5_000_000) return { status: 413, body: { errors: [{ status: "413" }] } };
  const items = JSON.parse(text) as Record<string, unknown>[];
  const isValid =
    Array.isArray(items) && items.length <= 1000 && items.every(({ message }) => typeof message === "string");
  if (!isValid || headers["content-type"] !== "application/json")
    return { status: 400, body: { errors: [{ status: "400" }] } };
  for (const item of items) expect(Buffer.byteLength(JSON.stringify(item))).toBeLessThanOrEqual(1_000_000);
  logs.push(...items);
  return { status: 202, body: {} };
}

beforeAll(async () => {
  sink = await newSink(judge);
});
afterAll(() => sink.close());
beforeEach(() => {
  logs = [];
  sink.arrivals.length = 0;
});

const send = (batch = batchOf(3), more: object = {}, settings: object = {}) =>
  sendBatch(batch, {
    ...{ type: "datadog", settings: { intake_url: `${sink.url}/api/v2/logs`, ...settings }, secrets: { api_key: KEY } },
    ...more,
  });

test("logs have the event under the name of its format, and what Datadog reads at the top", async () => {
  await send(batchOf(1), {}, { tags: "env:production" });
  expect(logs[0]).toEqual({
    ...{ ddsource: "sealwatch", ddtags: "env:production", hostname: "sealwatch.example.com", service: "sealwatch" },
    ...{ status: "notice", message: "ada@example.com: POST /api/v1/api-keys, 201", timestamp: sentEvent.occurred_at },
    entry: { uid: expect.any(String), origin: SENT_ORIGIN, epoch: 1, index: 7 },
    sealwatch: expect.objectContaining({ request: sentEvent.request }),
  });
});

test.each(["ocsf", "ecs"] as const)("logs can have the event as %s", async (format) => {
  await send(batchOf(1, {}, [expired]), { format });
  expect(logs).toMatchObject([{ [format]: {} }, { [format]: {} }]);
});

test("logs older than Datadog takes have the time of their arrival, and their own within", async () => {
  await send(batchOf(1), { now: NOW + 18 * HOUR_MS });
  expect(logs[0]).not.toHaveProperty("timestamp");
  expect(logs[0]).toMatchObject({ sealwatch: { occurred_at: sentEvent.occurred_at } });
});

test("many logs are sent in several requests below 5 MB", async () => {
  await send(batchOf(1000, { details: { resource_name: "x".repeat(8000) } }));
  expect(sink.arrivals.length).toBeGreaterThan(1);
  expect(sink.arrivals[0]?.headers["content-encoding"]).toBe("gzip");
  expect(logs).toHaveLength(1000);
});

test("a log that Datadog would cut is a failure, before anything is sent", async () => {
  const sent = send(batchOf(2, { details: { resource_name: "x".repeat(1_000_000) } }));
  expect((await failureOf(sent)).message).toMatch(/^an event has \d+ bytes, and the receiver takes 1000000$/);
  expect(sink.arrivals).toEqual([]);
});

test("a wrong key is a failure with the status", async () => {
  expect(await failureOf(send(batchOf(1), { secrets: { api_key: "wrong" } }))).toMatchObject({ status: 403 });
});

test("logs go to the intake of the site", () => {
  expect(intakeUrl({ site: "datadoghq.eu", intake_url: null })).toBe(
    "https://http-intake.logs.datadoghq.eu/api/v2/logs",
  );
});
