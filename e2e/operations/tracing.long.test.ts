import { readFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { newOrganization } from "@/e2e/support/organization";
import { query } from "@/e2e/support/servers/databases";
import { type Sealwatch, startSealwatch } from "@/e2e/support/servers/sealwatch";
import { newSession } from "@/e2e/support/session";
import { newReceiver } from "@/e2e/support/stand-ins/receiver";
import { type ReceivedSpan, startTraceCollector, type TraceCollector } from "@/e2e/support/stand-ins/trace-collector";
import { until } from "@/e2e/support/until";

const CALLER = "00f067aa0ba902b7";

let collector: TraceCollector;
let server: Sealwatch;
beforeAll(async () => {
  collector = await startTraceCollector();
  server = await startSealwatch({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.sink.url,
    // Its text can be searched; lib/tracing has a test of the default.
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    OTEL_EXPORTER_OTLP_HEADERS: "x-tenant=operator",
    OTEL_SERVICE_NAME: "sealwatch-test",
    OTEL_BSP_SCHEDULE_DELAY: "200",
    PROBE_ALLOWED_NETWORKS: "127.0.0.0/8",
  });
});
beforeEach(() => {
  collector.isHanging = false;
});
afterAll(async () => {
  await server?.destroy();
  collector?.sink.close();
});

let traces = 0;
const newTrace = () => (++traces).toString(16).padStart(32, "a");
const inTrace = (traceId: string) => ({ headers: { traceparent: `00-${traceId}-${CALLER}-01` } });
/** The spans of a trace, once its request has ended. */
const spansOf = (traceId: string) =>
  until(`the spans of ${traceId} arrive`, () => {
    const spans = collector.spans().filter((span) => span.traceId === traceId);
    return spans.some(({ kind }) => kind === "server") && spans;
  });
const childrenOf = (spans: readonly ReceivedSpan[], parent: ReceivedSpan | undefined) =>
  spans.filter(({ parentId }) => parentId === parent?.spanId);

test("the bundles of production load no package of OpenTelemetry on their own", () => {
  for (const name of ["web", "worker"]) {
    const text = readFileSync(`dist/server/${name}.js`, "utf8");
    expect(text).not.toMatch(/class BatchSpanProcessor|class OTLPTraceExporter/);
    const importedAtStart = [...text.matchAll(/^import .*"(@opentelemetry[^"]*)"/gm)].map(([, each]) => each);
    expect(importedAtStart).toEqual([]);
    expect(text).toContain('import("@opentelemetry/sdk-trace-base")');
  }
});

test("a request is a child of its caller's span, with its steps and their statements", async () => {
  const { id, admin } = await newOrganization(server);
  const traceId = newTrace();
  const made = await admin.post<{ id: string }>("/api-keys", { name: "Traced secret name" }, inTrace(traceId));
  expect(made.status).toBe(201);
  const spans = await spansOf(traceId);
  const request = spans.find(({ kind }) => kind === "server");
  expect(request).toMatchObject({
    ...{ name: "POST /api/v1/api-keys", parentId: CALLER, isFailed: false },
    attributes: {
      ...{ "http.request.method": "POST", "http.route": "/api/v1/api-keys", "http.response.status_code": 201 },
      ...{ "sealwatch.action": "api_key.create", "sealwatch.organization_id": id },
      "sealwatch.request_id": made.requestId,
    },
    resource: { "service.name": "sealwatch-test", "sealwatch.process": "web" },
  });
  const steps = childrenOf(spans, request).map(({ name }) => name);
  const order = ["identify", "limit", "verb", "commit audit event"].map((name) => steps.lastIndexOf(name));
  expect(order[0]).toBeGreaterThanOrEqual(0);
  expect(order).toEqual([...order].sort((one, other) => one - other));
  expect(steps.at(-1)).toBe("commit audit event");
  const verb = spans.find(({ name }) => name === "verb");
  const statements = childrenOf(spans, verb);
  expect(statements.map(({ name }) => name)).toContain("INSERT api_keys");
  for (const { kind, attributes } of statements) {
    expect([kind, attributes["db.system.name"], attributes["db.namespace"]]).toEqual([
      "client",
      "postgresql",
      "monitoring",
    ]);
  }
  expect(collector.sink.arrivals.at(-1)?.headers["x-tenant"]).toBe("operator");
});

test("spans have no secrets, query strings, bodies or people", async () => {
  const { admin, adminKey } = await newOrganization(server);
  const traceId = newTrace();
  await admin.get("/audit-logs?q=queried-in-private", inTrace(traceId));
  await spansOf(traceId);
  const failing = newTrace();
  await admin.post(
    "/uptime",
    { name: "named-in-private", type: "tcp", target: "host.in-private.example:1" },
    inTrace(failing),
  );
  await spansOf(failing);
  const all = collector.sink.arrivals.map(({ text }) => text).join("\n");
  expect(all).not.toMatch(/in-private|sw_[0-9A-Za-z]{8}|Bearer|Traced secret name|[\w.]+@[\w.]+/);
  expect(all).not.toContain(adminKey.hint);
});

test("a page is one span with its route, and its statements are below", async () => {
  const session = await newSession(server);
  const { admin } = await newOrganization(server);
  const monitor = await admin.post<{ id: string }>("/uptime", {
    ...{ name: "Paged in-private", type: "tcp", target: "host.in-private.example:1" },
  });
  expect(monitor.status).toBe(201);
  const open = async (path: string) => {
    const traceId = newTrace();
    const answer = await fetch(`${server.url}${path}`, {
      headers: { cookie: session.cookie, ...inTrace(traceId).headers },
      redirect: "manual",
    });
    await answer.text();
    const spans = await spansOf(traceId);
    expect(spans.filter(({ kind }) => kind === "server")).toHaveLength(1);
    return { spans, page: spans.find(({ kind }) => kind === "server") };
  };
  const list = await open("/certificates?q=queried-in-private");
  expect(list.page).toMatchObject({
    ...{ name: "GET /certificates", parentId: CALLER, isFailed: false },
    attributes: {
      ...{ "http.request.method": "GET", "http.route": "/certificates", "http.response.status_code": 200 },
      "sealwatch.organization_id": session.organizationId,
    },
  });
  const statements = childrenOf(list.spans, list.page);
  expect(statements.map(({ name }) => name)).toContain("find-session");
  expect(
    statements.filter(({ attributes }) => /^certificate/.test(String(attributes["db.collection.name"]))),
  ).not.toEqual([]);
  for (const { attributes } of statements) expect(attributes["db.system.name"]).toBe("postgresql");

  expect((await open(`/uptime/${monitor.data.id}`)).page?.name).toBe("GET /uptime/{id}");
  expect((await open("/heartbeat/a-token-in-private")).page?.name).toBe("GET /heartbeat/{token}");
  expect((await open("/nowhere/in-private")).page?.name).toBe("GET /{path}");
  const all = collector.sink.arrivals.map(({ text }) => text).join("\n");
  expect(all).not.toMatch(/in-private|example\.test/);
});

test("a refusal has its code, and the span of the request is not a failure", async () => {
  const { read } = await newOrganization(server);
  const traceId = newTrace();
  expect((await read.post("/api-keys", { name: "Refused" }, inTrace(traceId))).status).toBe(403);
  const spans = await spansOf(traceId);
  const request = spans.find(({ kind }) => kind === "server");
  expect(request).toMatchObject({ isFailed: false, attributes: { "http.response.status_code": 403 } });
  expect(request?.attributes["error.type"]).toBe("METHOD_NOT_ALLOWED");
  expect(spans.map(({ name }) => name)).not.toContain("verb");
});

test("a request without a caller's span begins a trace, which its event names", async () => {
  const { admin } = await newOrganization(server);
  const answer = await admin.get("/api-keys");
  const { requestId } = answer;
  const span = await until("its span arrives", () =>
    collector.spans().find(({ attributes }) => attributes["sealwatch.request_id"] === requestId),
  );
  expect(span.parentId).toBe("");
  const event = await admin.get<{ details: unknown }>(`/audit-logs/${requestId}`);
  expect(event.data.details).toEqual({ trace_id: span.traceId });
});

test("the worker's checks and deliveries arrive, and third parties get no trace context", async () => {
  const { id, admin } = await newOrganization(server);
  const receiver = await newReceiver();
  const { port } = new URL(receiver.url);
  const monitor = await admin.post<{ id: string }>("/uptime", { name: "Traced", type: "http", target: receiver.url });
  const endpoint = await admin.post<{ id: string }>("/certificates/endpoints", {
    host: "127.0.0.1",
    port: Number(port),
  });
  expect([monitor.status, endpoint.status]).toEqual([201, 201]);
  await query(server, "app", "UPDATE uptime_monitors SET next_check_at = now() WHERE organization_id = $1", [id]);
  await query(server, "app", "UPDATE certificate_endpoints SET next_check_at = now() WHERE organization_id = $1", [id]);
  const found = (task: string) =>
    until(`the span of a ${task} arrives`, () => {
      const spans = collector.spans();
      const span = spans.find(
        ({ name, attributes }) => name === task && attributes["sealwatch.organization_id"] === id,
      );
      return span !== undefined && { span, children: childrenOf(spans, span) };
    });
  const uptime = await found("uptime check");
  expect(uptime.span).toMatchObject({ parentId: "", resource: { "sealwatch.process": "worker" } });
  expect(uptime.span.attributes["sealwatch.id"]).toBe(monitor.data.id);
  expect(uptime.children.map(({ name, kind }) => [name, kind])).toContainEqual(["probe monitor", "client"]);
  const certificate = await found("certificate check");
  expect(certificate.span.attributes["sealwatch.id"]).toBe(endpoint.data.id);
  expect(certificate.children.map(({ name }) => name)).toContain("probe endpoint");

  const channel = await admin.post<{ id: string }>("/notification-channels", {
    ...{ name: "Traced", type: "webhook", settings: { url: receiver.url } },
  });
  expect(channel.status).toBe(201);
  const traceId = newTrace();
  await admin.post(`/notification-channels/${channel.data.id}/test`, {}, inTrace(traceId));
  const spans = await spansOf(traceId);
  expect(spans.find(({ name }) => name === "send notification")?.attributes["sealwatch.channel_type"]).toBe("webhook");
  expect(receiver.received.length).toBeGreaterThan(1);
  for (const { headers } of receiver.received) expect(Object.keys(headers)).not.toContain("traceparent");
  receiver.close();
});

test("a collector that hangs delays neither requests nor the end, and one that is unavailable is logged", async () => {
  const { admin } = await newOrganization(server);
  collector.isHanging = true;
  for (let n = 0; n < 20; n++) expect((await admin.get("/api-keys")).status).toBe(200);
  await server.stop();
  expect(server.output().stderr).not.toContain("did not stop in time");
  expect(server.output().stderr).not.toContain("did not end in time");
  collector.sink.close();
  await server.start();
  await until("the web process answers", async () => (await admin.get("/api-keys")).status === 200);
  await until("the log names the collector", () =>
    server.output().stderr.includes("the trace collector does not accept spans"),
  );
  expect((await admin.get("/api-keys")).status).toBe(200);
});
