import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newSink, type Sink } from "@/e2e/support/stand-ins/sink";
import type { DestinationType } from "@/lib/destinations/shapes";
import { batchOf, failureOf, NOW, type Sending, sendBatch } from "@/server/testing/send-batch";

const SECRET = "the-secret-of-the-destination";
const kinds: Partial<Record<DestinationType, (url: string) => Omit<Sending, "type">>> = {
  splunk: (url) => ({ settings: { url }, secrets: { token: SECRET } }),
  otlp: (url) => ({ settings: { url: `${url}/v1/logs` }, secrets: { header_value: SECRET } }),
  elastic: (url) => ({ settings: { url }, secrets: { api_key: SECRET } }),
  datadog: (url) => ({ settings: { intake_url: url }, secrets: { api_key: SECRET } }),
};

let sink: Sink;
beforeAll(async () => {
  sink = await newSink(() => ({ status: 500 }));
});
afterAll(() => sink.close());
beforeEach(() => {
  sink.arrivals.length = 0;
  sink.next.length = 0;
});

describe.each(Object.keys(kinds) as DestinationType[])("%s", (type) => {
  const sending = (url = sink.url) => ({ type, ...(kinds[type]?.(url) ?? { settings: {} }) });
  const send = (more: Partial<Sending> = {}) => sendBatch(batchOf(2), { ...sending(), ...more });

  test.each([302, 400, 401, 403, 404, 413, 415, 429, 500, 502, 503, 504])("%i is a failure", async (status) => {
    sink.next.push({ status, headers: { location: "http://127.0.0.1/" }, body: { message: "no\nthanks" } });
    const failure = await failureOf(send());
    expect(failure).toMatchObject({ message: `HTTP status ${status}`, status, retryAfterMs: null });
    expect(failure.evidence).toContain("thanks");
    expect(sink.arrivals).toHaveLength(1);
  });

  test.each([
    ["seconds", "30", 30_000],
    ["a date", new Date(NOW + 90_000).toUTCString(), 89_216],
    ["too long", "999999", 3_600_000],
    ["unusable", "soon", null],
  ])("Retry-After is read as %s", async (_, header, retryAfterMs) => {
    for (const status of [429, 503]) {
      sink.next.push({ status, headers: { "retry-after": header } });
      expect(await failureOf(send())).toMatchObject({ status, retryAfterMs });
    }
  });

  test("an answer that is not of the protocol is a failure", async () => {
    sink.next.push({ status: 200, headers: { "content-type": "text/html" }, body: "<html>Please sign in</html>" });
    const failure = await failureOf(send());
    expect(failure.message).toMatch(/^unexpected response: not that of /);
    expect(failure).toMatchObject({ status: 200, evidence: "<html>Please sign in</html>" });
  });

  test("an answer that is cut, and one that is too long, is a failure", async () => {
    sink.next.push("cut", { status: 200, body: "x".repeat(100_000) });
    expect((await failureOf(send())).message).toMatch(/^the connection (failed|was reset)/);
    expect((await failureOf(send())).message).toBe("the response is too large");
  });

  test("no answer ends with the attempt", async () => {
    sink.next.push("hang");
    const controller = new AbortController();
    const sent = send({ signal: controller.signal });
    while (sink.arrivals.length === 0) await new Promise((resolve) => setImmediate(resolve));
    controller.abort(new Error("time is up"));
    await expect(sent).rejects.toThrow("time is up");
  });

  test("nothing is sent to a forbidden network", async () => {
    const failure = await failureOf(send({ guard: { allowedNetworks: [] } }));
    expect(failure.message).toBe("its address is in a forbidden network");
    expect(sink.arrivals).toEqual([]);
  });

  test("failures never have the secret", async () => {
    sink.next.push({ status: 403, body: { text: "no", code: 4 } });
    const { message, evidence } = await failureOf(send());
    expect(`${message} ${evidence}`).not.toContain(SECRET);
  });

  test("a batch without anything to say makes no request", async () => {
    await sendBatch({ ...batchOf(0), end: 8 }, sending());
    expect(sink.arrivals).toEqual([]);
  });
});
