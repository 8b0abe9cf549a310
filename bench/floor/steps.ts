import { setTimeout as delay } from "node:timers/promises";
import { makeKeys } from "@/bench/keys";
import { load } from "@/bench/load";
import { ms, percentile, row } from "@/bench/measure";
import { liftedLimits } from "@/e2e/support/servers/lifted-limits";
import { startSealwatch } from "@/e2e/support/servers/sealwatch";
import { type Otlp, startTraceCollector } from "@/e2e/support/stand-ins/trace-collector";
import { groupBy } from "@/lib/group-by";
import { newId } from "@/lib/ids";

/** As OTLP has it in JSON; times in nanoseconds. */
type Span = Otlp["resourceSpans"][number]["scopeSpans"][number]["spans"][number] & {
  startTimeUnixNano: string;
  endTimeUnixNano: string;
};

const PATH = "/api/v1/certificates/endpoints";
const STEPS = ["identify", "limit", "verb", "commit audit event"] as const;
const CLIENT = 3;
/** Spans are exported every 5 seconds. */
const EXPORT_MS = 6_000;
const LOADS = [
  { name: "20/s", connections: 64, rate: 20 },
  { name: "64 connections", connections: 64 },
];

const lengthOf = ({ startTimeUnixNano, endTimeUnixNano }: Span) =>
  Number(BigInt(endTimeUnixNano) - BigInt(startTimeUnixNano)) / 1e6;
const median = (values: readonly number[]) => ms(percentile(values, 0.5));

/** A row: the median of each step, of what is left, and of the number of statements, over the requests whose spans all arrived. */
function report(name: string, spans: readonly Span[]): void {
  const traces = [...groupBy(spans, ({ traceId }) => traceId).values()].flatMap((trace) => {
    const whole = trace.find(({ parentSpanId }) => !parentSpanId);
    const steps = STEPS.map((step) => trace.find((span) => span.name === step));
    const present = steps.flatMap((step) => step ?? []);
    if (whole === undefined || present.length < STEPS.length) return [];
    const taken = present.map(lengthOf);
    const rest = lengthOf(whole) - taken.reduce((sum, each) => sum + each, 0);
    const statements = trace.filter(({ kind }) => kind === CLIENT).length;
    return [{ whole: lengthOf(whole), taken, rest, statements }];
  });
  row(
    name,
    median(traces.map(({ whole }) => whole)),
    ...STEPS.map((_, step) => median(traces.map(({ taken }) => taken[step] ?? 0))),
    median(traces.map(({ rest }) => rest)),
    percentile(
      traces.map(({ statements }) => statements),
      0.5,
    ),
  );
}

/** Measures how long each step of a request takes, by the spans that a server exports. */
export async function stepsBench(seconds: number): Promise<void> {
  const collector = await startTraceCollector();
  const server = await startSealwatch({
    ...liftedLimits,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.sink.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
  });
  try {
    const secrets = await makeKeys(server.databases.app, newId(), 100);
    let created = 0;
    const create = () => ({
      method: "POST" as const,
      path: PATH,
      body: { host: `host-${created++}.example.test`, port: 443, reported: true },
    });
    const { body } = create();
    const headers = { authorization: `Bearer ${secrets[0]}`, "content-type": "application/json" };
    const answer = await fetch(server.url + PATH, { method: "POST", headers, body: JSON.stringify(body) });
    const { data } = (await answer.json()) as { data: { id: string } };
    const update = (n: number) => ({
      method: "PUT" as const,
      path: `${PATH}/${data.id}`,
      body: { tags: [`round-${n}`] },
    });
    row("request", "whole", "identify", "limit", "verb", "commit of the event", "rest", "statements");
    row("---", ...Array.from({ length: STEPS.length + 3 }, () => "---:"));
    for (const [name, write] of [["GET"], ["POST", create], ["PUT", update]] as const) {
      const target = { url: server.url, path: "/api/v1/certificates", secrets, ...(write && { write }) };
      for (const { name: at, ...options } of LOADS) {
        // With every key, whose first success from an address takes further statements.
        await load({ ...target, connections: options.connections, ms: 1000 });
        await delay(EXPORT_MS);
        collector.sink.arrivals.length = 0;
        await load({ ...target, ...options, ms: seconds * 1000 });
        await delay(EXPORT_MS);
        const spans = collector.sink.arrivals
          .flatMap(({ text }) => (JSON.parse(text) as Otlp).resourceSpans)
          .flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans as Span[]))
          .filter((span) => span.parentSpanId || span.name.startsWith(name));
        report(`${name}, ${at}`, spans);
      }
    }
  } finally {
    await server.destroy();
    collector.sink.close();
  }
}
