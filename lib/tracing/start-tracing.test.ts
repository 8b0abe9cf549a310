import { spawnSync } from "node:child_process";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startTraceCollector, type TraceCollector } from "@/e2e/support/stand-ins/trace-collector";
import { configure } from "@/lib/config";
import {
  beginSpan,
  closeTracer,
  currentTraceId,
  failSpan,
  requestSpan,
  setSpanAttributes,
  setTracer,
  span,
} from "@/lib/tracing/span";
import { startTracing } from "@/lib/tracing/start-tracing";
import { parseTraceParent } from "@/lib/tracing/trace-parent";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const CALLER = "00f067aa0ba902b7";
const sampled = parseTraceParent(`00-${TRACE}-${CALLER}-01`);
const unsampled = parseTraceParent(`00-${TRACE}-${CALLER}-00`);
/** The SDK's own limit is 30 s. */
const BOUND_MS = 15_000;

let collector: TraceCollector;
beforeEach(async () => {
  collector = await startTraceCollector();
});
afterEach(() => {
  setTracer(null);
  configure({ OTEL_EXPORTER_OTLP_ENDPOINT: "" });
  collector.sink.close();
});

async function exportTo(url: string, protocol = ""): Promise<void> {
  configure({ OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_PROTOCOL: protocol });
  await startTracing("web");
}

test.each([
  ["", "application/x-protobuf"],
  ["http/protobuf", "application/x-protobuf"],
  ["http/json", "application/json"],
])("with the protocol %j, spans are sent as %s", async (protocol, type) => {
  await exportTo(collector.sink.url, protocol);
  await requestSpan("GET /things", { text: "é", whole: 200, part: 0.5, yes: true }, sampled, async () => {});
  await closeTracer();
  expect(collector.sink.arrivals.map(({ path, headers }) => [path, headers["content-type"]])).toEqual([
    ["/v1/traces", type],
  ]);
  expect(collector.spans()).toMatchObject([
    {
      ...{ name: "GET /things", traceId: TRACE, parentId: CALLER, kind: "server", isFailed: false },
      attributes: { text: "é", whole: 200, part: 0.5, yes: true },
    },
  ]);
});

describe("while traces are exported", () => {
  beforeEach(() => exportTo(collector.sink.url));

  test("a request is a child of its caller's span, and its steps are children in order", async () => {
    const seen = await requestSpan("GET /things", { "http.request.method": "GET" }, sampled, async () => {
      await span("identify", {}, async () => {
        const end = beginSpan(() => ["SELECT keys", { "db.system.name": "postgresql" }]);
        end?.(null);
      });
      await span("verb", {}, async () => {});
      setSpanAttributes({ "http.response.status_code": 200 });
      return currentTraceId();
    });
    expect(seen).toBe(TRACE);
    await closeTracer();
    const spans = collector.spans();
    const named = (name: string) => spans.find((each) => each.name === name);
    const request = named("GET /things");
    expect(request).toMatchObject({
      ...{ traceId: TRACE, parentId: CALLER, kind: "server", isFailed: false },
      attributes: { "http.request.method": "GET", "http.response.status_code": 200 },
      resource: { "service.name": "sealwatch", "sealwatch.process": "web" },
    });
    expect(spans.map(({ traceId }) => traceId)).toEqual(spans.map(() => TRACE));
    expect(named("identify")?.parentId).toBe(request?.spanId);
    expect(named("verb")?.parentId).toBe(request?.spanId);
    expect(named("SELECT keys")).toMatchObject({ kind: "client", parentId: named("identify")?.spanId });
    // In the order in which they ended, because their beginnings have only milliseconds.
    expect(spans.map(({ name }) => name)).toEqual(["SELECT keys", "identify", "verb", "GET /things"]);
  });

  test("without a caller, a trace of its own begins", async () => {
    const seen = await requestSpan("GET /things", {}, null, async () => currentTraceId());
    await span("certificate check", {}, async () => {});
    await closeTracer();
    const [request, check] = collector.spans();
    expect(request).toMatchObject({ traceId: seen, parentId: "" });
    expect(check).toMatchObject({ name: "certificate check", parentId: "", kind: "internal" });
    expect(check?.traceId).not.toBe(seen);
  });

  test("a trace that its caller does not record keeps its id and is not exported", async () => {
    const seen = await requestSpan("GET /things", {}, unsampled, () => span("verb", {}, async () => currentTraceId()));
    expect(seen).toBe(TRACE);
    await closeTracer();
    expect(collector.spans()).toEqual([]);
  });

  test("errors have a type and no message, and refusals are not failures of a step", async () => {
    const refusal = Object.assign(new Error("no key a@example.com"), {
      name: "ApiError",
      status: 404,
      code: "NOT_FOUND",
    });
    const failure = Object.assign(new Error("a@example.com is taken"), { code: "23505" });
    await requestSpan("POST /things", {}, sampled, async () => {
      await span("refused", {}, () => Promise.reject(refusal)).catch(() => {});
      await span("failed", {}, () => Promise.reject(failure)).catch(() => {});
      await span("odd", {}, () => Promise.reject("a@example.com")).catch(() => {});
      failSpan("INTERNAL_ERROR");
    });
    await closeTracer();
    const types = Object.fromEntries(
      collector.spans().map(({ name, isFailed, attributes }) => [name, isFailed && attributes["error.type"]]),
    );
    expect(types).toEqual({ refused: false, failed: "23505", odd: "Error", "POST /things": "INTERNAL_ERROR" });
    for (const { body } of collector.sink.arrivals) expect(body.toString("latin1")).not.toContain("example.com");
  });

  test("what outlives its span is not part of it", async () => {
    let release = () => {};
    const waited = new Promise<void>((resolve) => {
      release = resolve;
    });
    let later: Promise<unknown> = Promise.resolve();
    await requestSpan("GET /things", {}, sampled, async () => {
      later = waited.then(() => [currentTraceId(), beginSpan(() => ["SELECT late", {}])]);
    });
    release();
    expect(await later).toEqual([null, undefined]);
  });

  test("the answer of the work does not wait for a collector that hangs, and the end of the process only shortly", async () => {
    collector.isHanging = true;
    const answers = await Promise.all(
      Array.from({ length: 5_000 }, (_, n) => requestSpan("GET /things", {}, null, async () => n)),
    );
    expect(answers).toHaveLength(5_000);
    const started = performance.now();
    await closeTracer();
    expect(performance.now() - started).toBeLessThan(BOUND_MS);
  });
});

test.each([
  ["is away", () => collector.sink.close()],
  ["refuses", () => collector.sink.next.push(...Array.from({ length: 20 }, () => ({ status: 400 })))],
  ["is overloaded", () => collector.sink.next.push(...Array.from({ length: 20 }, () => ({ status: 503 })))],
  ["cuts connections", () => collector.sink.next.push(...Array.from({ length: 20 }, () => "cut" as const))],
])("a collector that %s changes nothing for the work, nor for long for the end of the process", async (_, fail) => {
  await exportTo(collector.sink.url);
  fail();
  expect(await requestSpan("GET /things", {}, sampled, () => span("verb", {}, async () => 7))).toBe(7);
  const started = performance.now();
  await closeTracer();
  expect(performance.now() - started).toBeLessThan(BOUND_MS);
});

describe("without a collector", () => {
  test("work is only called, and the trace of a caller is known nevertheless", async () => {
    await startTracing("web");
    const promise = Promise.resolve(7);
    expect(span("verb", {}, () => promise)).toBe(promise);
    expect(requestSpan("GET /things", {}, null, () => promise)).toBe(promise);
    expect(beginSpan(() => ["SELECT", {}])).toBeUndefined();
    const known = () => span("verb", {}, async () => currentTraceId());
    expect(await requestSpan("GET /things", {}, sampled, known)).toBe(TRACE);
    expect(currentTraceId()).toBeNull();
    await closeTracer();
  });

  /** The modules of the SDK that a process has loaded, and its log. */
  function inProcess(endpoint: string): { loaded: string[]; log: string } {
    const script = `
      import { createRequire } from "node:module";
      import { log } from "./lib/log.ts";
      import { requestSpan } from "./lib/tracing/span.ts";
      import { startTracing } from "./lib/tracing/start-tracing.ts";
      import { parseTraceParent } from "./lib/tracing/trace-parent.ts";
      await startTracing("web");
      log.warn("outside");
      await requestSpan("GET /things", {}, parseTraceParent("00-${TRACE}-${CALLER}-01"), async () => log.warn("inside"));
      const loaded = Object.keys(createRequire(import.meta.url).cache).filter((name) => name.includes("@opentelemetry/sdk"));
      process.stdout.write(JSON.stringify(loaded));
      process.exit(0);`;
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ["--import", "tsx", "--input-type=module", "--eval", script],
      {
        env: { ...process.env, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, LOG_LEVEL: "info" },
        encoding: "utf8",
      },
    );
    return { loaded: JSON.parse(stdout) as string[], log: stderr };
  }

  test("the SDK is not loaded, and lines of the log within a trace have its id", () => {
    const { loaded, log } = inProcess("");
    expect(loaded).toEqual([]);
    const lines = log
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { msg: string; trace_id?: string });
    expect(lines.map(({ msg, trace_id }) => [msg, trace_id])).toEqual([
      ["outside", undefined],
      ["inside", TRACE],
    ]);
    expect(inProcess("http://127.0.0.1:1").loaded.length).toBeGreaterThan(0);
  });
});
