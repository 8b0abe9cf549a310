import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { Span } from "@opentelemetry/api";
import type { ReadableSpan, SpanExporter } from "@opentelemetry/sdk-trace-base";
import { config } from "@/lib/config";
import { log, logOutage } from "@/lib/log";
import { Outage } from "@/lib/outage";
import { type Attributes, type OpenSpan, type SpanKind, setTracer, type Tracer } from "@/lib/tracing/span";
import type { TraceParent } from "@/lib/tracing/trace-parent";

/** How long the last spans may take at the end of a process, in milliseconds. The collector may hang. */
const LAST_EXPORT_MS = 2_000;

/**
 * Exports spans if `OTEL_EXPORTER_OTLP_ENDPOINT` is set. Otherwise the SDK is not even loaded. Its other settings are the `OTEL_`
 * variables that the SDK reads.
 */
export async function startTracing(processName: "web" | "worker"): Promise<void> {
  if (config().OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return;
  try {
    setTracer(await openTracer(processName));
  } catch (error) {
    log.error({ err: error }, "traces cannot be exported");
  }
}

/** The tracer is not registered globally, because Next would then add spans of pages with their URLs. */
async function openTracer(processName: string): Promise<Tracer> {
  const [api, resources, sdk, { OTLPTraceExporter }] = await Promise.all([
    import("@opentelemetry/api"),
    import("@opentelemetry/resources"),
    import("@opentelemetry/sdk-trace-base"),
    config().OTEL_EXPORTER_OTLP_PROTOCOL === "http/json"
      ? import("@opentelemetry/exporter-trace-otlp-http")
      : import("@opentelemetry/exporter-trace-otlp-proto"),
  ]);
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  const own = { "service.name": "sealwatch", "service.version": version, "sealwatch.process": processName };
  // Its queue is bounded: spans that the collector does not accept in time are dropped.
  const processor = new sdk.BatchSpanProcessor(reported(new OTLPTraceExporter()));
  const provider = new sdk.BasicTracerProvider({
    resource: resources
      .defaultResource()
      .merge(resources.resourceFromAttributes(own))
      .merge(resources.detectResources({ detectors: [resources.envDetector] })),
    spanProcessors: [processor],
  });
  const tracer = provider.getTracer("sealwatch", version);
  const kinds = { server: api.SpanKind.SERVER, client: api.SpanKind.CLIENT, internal: api.SpanKind.INTERNAL };
  const started = new WeakMap<OpenSpan, Span>();

  const contextOf = (parent: OpenSpan | TraceParent | null) => {
    if (parent === null) return api.ROOT_CONTEXT;
    const own = started.get(parent as OpenSpan);
    if (own !== undefined) return api.trace.setSpan(api.ROOT_CONTEXT, own);
    const { traceId, spanId, flags } = parent as TraceParent;
    return api.trace.setSpanContext(api.ROOT_CONTEXT, { traceId, spanId, traceFlags: flags, isRemote: true });
  };

  return {
    start(name: string, kind: SpanKind, attributes: Attributes, parent) {
      const span = tracer.startSpan(name, { kind: kinds[kind], attributes }, contextOf(parent));
      if (!span.isRecording()) return null;
      const open: OpenSpan = {
        traceId: span.spanContext().traceId,
        set: (more) => void span.setAttributes(more),
        fail: (type) => void span.setAttribute("error.type", type).setStatus({ code: api.SpanStatusCode.ERROR }),
        end: () => span.end(),
      };
      started.set(open, span);
      return open;
    },
    async close() {
      await Promise.race([provider.shutdown().catch(() => {}), delay(LAST_EXPORT_MS)]);
    },
  };
}

/** Logs when the collector begins and ceases to accept spans. */
function reported(exporter: SpanExporter): SpanExporter {
  const outage = new Outage();
  const words = { away: "the trace collector does not accept spans", back: "the trace collector accepts spans again" };
  return {
    export: (spans: ReadableSpan[], done) =>
      exporter.export(spans, (result) => {
        const now = performance.now();
        logOutage(result.code === 0 ? outage.worked(now) : outage.failed(now), words, result.error);
        done(result);
      }),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
    shutdown: () => exporter.shutdown(),
  };
}
