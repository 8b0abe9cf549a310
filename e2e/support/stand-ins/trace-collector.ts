import { parseOtlpProtobuf } from "@/e2e/support/stand-ins/otlp-protobuf";
import { newSink, type Sink, type SinkArrival } from "@/e2e/support/stand-ins/sink";

type Attributes = Record<string, string | number | boolean | undefined>;

/** A span as the collector got it. */
export interface ReceivedSpan {
  name: string;
  traceId: string;
  spanId: string;
  /** Empty for the first span of a trace. */
  parentId: string;
  kind: "internal" | "server" | "client" | "other";
  attributes: Attributes;
  isFailed: boolean;
  resource: Attributes;
}

export interface TraceCollector {
  sink: Sink;
  /** In the order in which they ended. */
  spans: () => ReceivedSpan[];
  /** While true, requests get no answer. */
  isHanging: boolean;
}

/** OTLP as JSON has it: https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding */
export interface Otlp {
  resourceSpans: { resource: { attributes: OtlpAttribute[] }; scopeSpans: { spans: OtlpSpan[] }[] }[];
}
export interface OtlpAttribute {
  key: string;
  value: { stringValue?: string; intValue?: number; doubleValue?: number; boolValue?: boolean };
}
interface OtlpSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  kind: number;
  attributes: OtlpAttribute[];
  status: { code?: number };
}

const KINDS = ["other", "internal", "server", "client"] as const;
const STATUS_ERROR = 2;

function read(attributes: readonly OtlpAttribute[]): Attributes {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}

function parse(arrival: SinkArrival): Otlp {
  const isProtobuf = arrival.headers["content-type"] === "application/x-protobuf";
  return isProtobuf ? parseOtlpProtobuf(arrival.body) : (JSON.parse(arrival.text) as Otlp);
}

/** Starts a collector of traces on loopback (OTLP over HTTP, in protobuf or JSON). */
export async function startTraceCollector(): Promise<TraceCollector> {
  const sink = await newSink(({ method, path }) => {
    if (collector.isHanging) return "hang";
    return { status: method === "POST" && path === "/v1/traces" ? 200 : 404, body: {} };
  });
  const spans = () =>
    sink.arrivals
      .flatMap((arrival) => parse(arrival).resourceSpans)
      .flatMap(({ resource, scopeSpans }) =>
        scopeSpans.flatMap((scope) =>
          scope.spans.map((span) => ({
            ...{ name: span.name, traceId: span.traceId, spanId: span.spanId, parentId: span.parentSpanId ?? "" },
            kind: KINDS[span.kind] ?? "other",
            attributes: read(span.attributes),
            isFailed: span.status.code === STATUS_ERROR,
            resource: read(resource.attributes),
          })),
        ),
      );
  const collector: TraceCollector = { sink, spans, isHanging: false };
  return collector;
}
