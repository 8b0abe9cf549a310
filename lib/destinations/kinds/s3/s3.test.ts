import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newSink, type Sink } from "@/e2e/support/stand-ins/sink";
import type { Batch } from "@/lib/destinations/batches/batch";
import { s3Shape } from "@/lib/destinations/kinds/s3/shape";
import { parseNetwork } from "@/lib/networks";
import { batchOf, DESTINATION_ID, expired, failureOf, NOW, sendBatch } from "@/server/testing/send-batch";

// Object lock is only recorded here: the server of the protocol that `operations/object-storage` uses has none.

let sink: Sink;
beforeAll(async () => {
  sink = await newSink({ status: 200, headers: { etag: '"1"' } });
});
afterAll(() => sink.close());

const settings = () => {
  sink.arrivals.length = 0;
  return { endpoint: sink.url, region: "eu-test-1", bucket: "audit", addressing: "path", access_key_id: "AKID" };
};
const secrets = { secret_access_key: "of-the-bucket" };
const PLACE = "/audit/sealwatch/01a1fcff-5cd2-755f-bf9c-f5a4e5e70691";
const proof: Batch["proof"] = {
  ...{ from: 7, left: ["bGVmdA=="], right: [], vkey: "the-key", checkpoint: "a\nsigned\nnote\n", keys: [] },
  sealedAt: "2026-11-21T23:59:59.999Z",
};
const batch = (count = 3): Batch => ({ ...batchOf(count), proof });

test("an object has the name of its range and a header that proves it, and its checkpoint is beside it", async () => {
  await sendBatch(batch(), { type: "s3", settings: settings(), secrets });
  const name = `${PLACE}/${DESTINATION_ID}/2026/11/21/0001-000000000007-000000000009`;
  expect(sink.arrivals.map(({ method, path }) => [method, path])).toEqual([
    ["PUT", `${name}.checkpoint`],
    ["PUT", `${name}.ndjson.gz`],
  ]);
  const [checkpoint, object] = sink.arrivals;
  expect(checkpoint?.text).toBe(proof?.checkpoint);
  const lines = (object?.text ?? "").split("\n");
  const { left, right, vkey, keys } = proof ?? {};
  expect(JSON.parse(lines[0] ?? "")).toEqual({
    sealed_segment: {
      ...{ version: 1, origin: batch().origin, vkey, epoch: 1, first: 7, end: 10, left, right },
      ...{ checkpoint: proof?.checkpoint, keys },
    },
  });
  expect(lines).toHaveLength(6);
  expect(lines[4]).toContain('"export"');
});

test("requests are signed over their bodies, and say how they can be checked", async () => {
  await sendBatch(batch(), { type: "s3", settings: settings(), secrets });
  for (const { headers, body } of sink.arrivals) {
    expect(headers).toMatchObject({
      "x-amz-content-sha256": createHash("sha256").update(body).digest("hex"),
      "content-md5": createHash("md5").update(body).digest("base64"),
      "x-amz-date": new Date(NOW).toISOString().replace(/[:-]|\.\d{3}/g, ""),
      authorization: expect.stringMatching(
        /^AWS4-HMAC-SHA256 Credential=AKID\/\d{8}\/eu-test-1\/s3\/aws4_request, SignedHeaders=content-md5;host;x-amz-content-sha256;x-amz-date, Signature=[0-9a-f]{64}$/,
      ),
    });
    expect(headers["content-encoding"]).toBeUndefined();
  }
});

test("with virtual hosts, requests go to the bucket's own host, which is signed", async () => {
  const { port } = new URL(sink.url);
  const given = { ...settings(), endpoint: `http://storage.test:${port}`, addressing: "virtual_host" };
  const resolve = async () => ["127.0.0.1"];
  const guard = { allowedNetworks: [parseNetwork("127.0.0.0/8")], resolve };
  await sendBatch(batch(), { type: "s3", settings: given, secrets, guard });
  expect(sink.arrivals.map(({ headers, path }) => [headers.host, path])).toEqual(
    [".checkpoint", ".ndjson.gz"].map((ending) => [
      `audit.storage.test:${port}`,
      `${PLACE.replace("/audit", "")}/${DESTINATION_ID}/2026/11/21/0001-000000000007-000000000009${ending}`,
    ]),
  );
  for (const { headers } of sink.arrivals) {
    expect(headers.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKID\/\d{8}\/eu-test-1\/s3\/aws4_request, SignedHeaders=content-md5;host;/,
    );
  }
});

test("a repeated batch is the same object, bit for bit", async () => {
  await sendBatch(batch(), { type: "s3", settings: settings(), secrets });
  const [, first] = sink.arrivals;
  await sendBatch(batch(), { type: "s3", settings: settings(), secrets, now: NOW + 86_400_000 });
  const [, second] = sink.arrivals;
  expect([second?.path, second?.body]).toEqual([first?.path, first?.body]);
  const bodies = [];
  for (const now of [NOW, NOW + 86_400_000]) {
    const omitting = { ...batch(), omitted: [expired] };
    await sendBatch(omitting, { type: "s3", settings: settings(), secrets, format: "ocsf", now });
    expect(sink.arrivals.at(-1)?.text).toContain('"event_code":"omitted"');
    bodies.push(sink.arrivals.at(-1)?.body);
  }
  expect(bodies[1]).toEqual(bodies[0]);
});

test.each(["governance", "compliance"] as const)("objects are locked in the mode %s", async (mode) => {
  const lock = { lock_mode: mode, lock_days: 30 };
  await sendBatch(batch(), { type: "s3", settings: { ...settings(), ...lock }, secrets });
  for (const { headers } of sink.arrivals) {
    expect(headers).toMatchObject({
      "x-amz-object-lock-mode": mode.toUpperCase(),
      "x-amz-object-lock-retain-until-date": new Date(NOW + 30 * 86_400_000).toISOString(),
      authorization: expect.stringContaining("x-amz-object-lock-mode;x-amz-object-lock-retain-until-date"),
    });
  }
});

test("a prefix, other formats, and batches without events", async () => {
  const prefix = "logs/dt=audit";
  await sendBatch(batch(), { type: "s3", settings: { ...settings(), prefix }, secrets, format: "ocsf" });
  const [, object] = sink.arrivals;
  expect(object?.path).toBe("/audit/logs/dt%3Daudit/2026/11/21/0001-000000000007-000000000009.ndjson.gz");
  expect(
    object?.text
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line).class_uid),
  ).toEqual([3001, 3001, 3001]);
  const gap = { ...batchOf(0, {}, [expired]), first: 2, end: 7, proof };
  await sendBatch(gap, { type: "s3", settings: settings(), secrets });
  const { hashes, reason, first, end } = expired;
  expect(JSON.parse(sink.arrivals[1]?.text.split("\n")[1] ?? "")).toEqual({
    omitted: { epoch: 1, first, end, reason, hashes },
  });
});

test("failures have the code of the storage, and an answer of something else is one", async () => {
  const failing = (act: Sink["act"]) => {
    const given = settings();
    sink.next.push(act as Exclude<Sink["act"], (...args: never[]) => unknown>);
    return failureOf(sendBatch(batch(), { type: "s3", settings: given, secrets }));
  };
  const denied = "<?xml version='1.0'?><Error><Code>AccessDenied</Code><Message>Access Denied.</Message></Error>";
  const slow = "<Error><Code>SlowDown</Code></Error>";
  expect(await failing({ status: 403, body: denied })).toMatchObject({
    message: "HTTP status 403: AccessDenied",
    status: 403,
    evidence: denied,
  });
  expect(await failing({ status: 503, headers: { "retry-after": "7" }, body: slow })).toMatchObject({
    message: "HTTP status 503: SlowDown",
    retryAfterMs: 7_000,
  });
  expect((await failing({ status: 200, body: "<h1>Sign in</h1>" })).message).toBe(
    "unexpected response: not that of object storage",
  );
  expect((await failing({ status: 200, headers: { etag: "x" }, body: slow })).message).toContain("SlowDown");
  expect((await failing("reset")).message).toBe("the connection was reset");
  expect(sink.arrivals).toHaveLength(1);
});

test.each([
  [{ endpoint: null, region: "eu-central-1" }, "https://audit-logs.s3.eu-central-1.amazonaws.com"],
  [{ endpoint: null, addressing: "path" }, "https://s3.us-east-1.amazonaws.com/audit-logs"],
  [{ endpoint: "http://minio.test:9000", addressing: "path", prefix: "a/b" }, "http://minio.test:9000/audit-logs/a/b"],
  [{ endpoint: "https://r2.test" }, "https://audit-logs.r2.test"],
])("the settings %j write to %s", (given, place) => {
  const parsed = s3Shape.settings.parse({ bucket: "audit-logs", access_key_id: "AKID", ...given });
  expect(s3Shape.describe(parsed)).toBe(place);
});

test.each([
  { endpoint: "https://minio.test/path" },
  { endpoint: "https://minio.test/?x=1" },
  { bucket: "a/b" },
  { bucket: "x.evil.test:1" },
  { prefix: "../x" },
  { prefix: "/x" },
  { prefix: "x//y" },
  { prefix: "x/" },
  { prefix: "a b" },
  { region: "eu.evil.test/" },
  { lock_mode: "governance" },
  { lock_days: 7 },
  { lock_mode: "governance", lock_days: 0 },
  { interval_seconds: 0 },
  { access_key_id: "a\nb" },
])("the settings %j are refused", (given) => {
  const whole = { bucket: "audit-logs", access_key_id: "AKID", ...given };
  expect(s3Shape.settings.safeParse(whole).success).toBe(false);
});
