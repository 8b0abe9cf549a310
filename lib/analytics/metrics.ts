import { pool } from "@/lib/db/app";
import type { Principal } from "@/lib/http/principal";
import { NOBODY } from "@/lib/ids";

/** Series that are read at a time. */
const PAGE = 2_000;

interface Series {
  id: string;
  labels: Record<string, unknown>;
  value: number;
}

interface Metric {
  name: string;
  help: string;
  /** SQL giving `labels` (an object) and `value` of one page: organization $1, ids after $2, at most $3, in the order of `id`. */
  text: string;
}

const ENDPOINT_LABELS = "jsonb_build_object('endpoint_id', e.id, 'host', e.host, 'port', e.port, 'sni', e.sni)";
const MONITOR_LABELS = "jsonb_build_object('monitor_id', m.id, 'name', m.name, 'type', m.type)";

function ofEndpoints(name: string, help: string, value: string, more = "'{}'", where = "true"): Metric {
  return {
    name,
    help,
    text: `SELECT e.id, ${ENDPOINT_LABELS} || ${more}::jsonb AS labels, (${value})::float AS value FROM certificate_endpoints e
           LEFT JOIN certificates c ON c.organization_id = e.organization_id AND c.id = e.certificate_id
           WHERE e.organization_id = $1 AND e.id > $2 AND ${where} ORDER BY e.id LIMIT $3`,
  };
}

function ofMonitors(name: string, help: string, value: string, where: string): Metric {
  return {
    name,
    help,
    text: `SELECT m.id, ${MONITOR_LABELS} AS labels, (${value})::float AS value FROM uptime_monitors m
           WHERE m.organization_id = $1 AND m.id > $2 AND ${where} ORDER BY m.id LIMIT $3`,
  };
}

const CERTIFICATE = "jsonb_build_object('sha256', encode(c.sha256, 'hex'), 'issuer', c.issuer)";

/** What is exported; every one a gauge. Times are Unix seconds. */
const metrics: readonly Metric[] = [
  ofEndpoints(
    "sealwatch_certificate_not_after_timestamp_seconds",
    "When the certificate that an endpoint serves expires.",
    "extract(epoch FROM c.not_after)",
    CERTIFICATE,
    "c.id IS NOT NULL",
  ),
  ofEndpoints(
    "sealwatch_certificate_not_before_timestamp_seconds",
    "When the certificate that an endpoint serves became valid.",
    "extract(epoch FROM c.not_before)",
    CERTIFICATE,
    "c.id IS NOT NULL",
  ),
  ofEndpoints(
    "sealwatch_endpoint_reachable",
    "Whether a certificate was seen at the last check.",
    "CASE WHEN e.reachability = 'reachable' THEN 1 ELSE 0 END",
    "'{}'",
    "e.reachability <> 'unknown'",
  ),
  ofEndpoints(
    "sealwatch_endpoint_last_check_timestamp_seconds",
    "When an endpoint was last checked.",
    "extract(epoch FROM e.last_checked_at)",
    "'{}'",
    "e.last_checked_at IS NOT NULL",
  ),
  ofEndpoints(
    "sealwatch_endpoint_open_findings",
    "Findings that are open.",
    "(SELECT count(*) FROM certificate_findings f WHERE f.organization_id = e.organization_id AND f.endpoint_id = e.id AND f.closed_at IS NULL)",
  ),
  ofMonitors(
    "sealwatch_monitor_up",
    "Whether a monitor is up.",
    "CASE WHEN m.status = 'up' THEN 1 ELSE 0 END",
    "m.paused_at IS NULL AND m.status <> 'pending'",
  ),
  ofMonitors(
    "sealwatch_monitor_last_check_timestamp_seconds",
    "When a monitor was last checked.",
    "extract(epoch FROM m.last_checked_at)",
    "m.last_checked_at IS NOT NULL",
  ),
  ofMonitors(
    "sealwatch_monitor_response_time_seconds",
    "How long the last check took.",
    "(m.last_check->>'total_us')::float / 1e6",
    "m.paused_at IS NULL AND m.last_check IS NOT NULL",
  ),
];

/** A label's value as the text format wants it (Prometheus exposition formats, text-based). */
function escaped(value: unknown): string {
  return String(value).replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');
}

/** One line of the text format. */
export function sample(name: string, labels: Record<string, unknown>, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
  return `${name}{${pairs.join(",")}} ${value}\n`;
}

/** The lines of one metric, a page at a time. */
async function* pagesOf(organizationId: string, { name, help, text }: Metric): AsyncGenerator<string> {
  let lines = `# HELP ${name} ${help}\n# TYPE ${name} gauge\n`;
  for (let after: string | undefined = NOBODY; after !== undefined; lines = "") {
    const values: unknown[] = [organizationId, after, PAGE];
    const { rows }: { rows: Series[] } = await pool("report").query<Series>(text, values);
    for (const { labels, value } of rows) lines += sample(name, labels, value);
    after = rows.length === PAGE ? rows.at(-1)?.id : undefined;
    yield lines;
  }
}

/** All lines. The next page is read when its reader has taken the one before; none waits for a reader on a connection. */
async function* exposition(organizationId: string): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for (const metric of metrics) for await (const lines of pagesOf(organizationId, metric)) yield encoder.encode(lines);
}

/** The present state of endpoints and monitors for Prometheus. Throws 503; what fails later breaks the answer off. */
export async function getAnalyticsMetrics({ organizationId }: Principal): Promise<Response> {
  const pages = exposition(organizationId);
  let page = await pages.next();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (page.done) return controller.close();
        controller.enqueue(page.value);
        page = await pages.next();
      },
      async cancel() {
        await pages.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { headers: { "Content-Type": "text/plain; version=0.0.4; charset=utf-8" } });
}
