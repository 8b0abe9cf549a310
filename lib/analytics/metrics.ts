import { ALSO_SERVED } from "@/lib/certificates/inventory/also-served";
import { pool } from "@/lib/db/app";
import type { Principal } from "@/lib/http/principal";
import { NOBODY } from "@/lib/ids";

/** Endpoints or monitors read per query. */
const PAGE = 2_000;

interface Series {
  id: string;
  labels: Record<string, unknown>;
  value: number;
}

interface Metric {
  name: string;
  help: string;
  /** SQL that returns `labels` (an object) and `value` for one page: organization $1, ids after $2, so many ids $3, ordered by `id`. */
  text: string;
}

const ENDPOINT_LABELS = "jsonb_build_object('endpoint_id', e.id, 'host', e.host, 'port', e.port, 'sni', e.sni)";
const MONITOR_LABELS = "jsonb_build_object('monitor_id', m.id, 'name', m.name, 'type', m.type)";

function ofEndpoints(name: string, help: string, value: string, where = "true"): Metric {
  return {
    name,
    help,
    text: `SELECT e.id, ${ENDPOINT_LABELS} AS labels, (${value})::float AS value FROM certificate_endpoints e
           WHERE e.organization_id = $1 AND e.id > $2 AND ${where} ORDER BY e.id LIMIT $3`,
  };
}

/** One value for each certificate that an endpoint serves. */
function ofCertificates(name: string, help: string, value: string): Metric {
  return {
    name,
    help,
    text: `WITH page AS (
             SELECT organization_id, id, host, port, sni, certificate_id FROM certificate_endpoints
             WHERE organization_id = $1 AND id > $2 AND certificate_id IS NOT NULL ORDER BY id LIMIT $3
           )
           SELECT e.id, ${ENDPOINT_LABELS} || jsonb_build_object('sha256', encode(c.sha256, 'hex'), 'issuer', c.issuer) AS labels,
             (${value})::float AS value
           FROM (
             SELECT * FROM page UNION ALL
             SELECT e.organization_id, e.id, e.host, e.port, e.sni, s.certificate_id FROM page e ${ALSO_SERVED}
           ) AS e JOIN certificates c ON c.organization_id = e.organization_id AND c.id = e.certificate_id
           ORDER BY e.id`,
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

/** The exported metrics, all gauges. Times are Unix seconds. */
const metrics: readonly Metric[] = [
  ofCertificates(
    "sealwatch_certificate_not_after_timestamp_seconds",
    "Expiry time of a certificate that the endpoint serves.",
    "extract(epoch FROM c.not_after)",
  ),
  ofCertificates(
    "sealwatch_certificate_not_before_timestamp_seconds",
    "Start of validity of a certificate that the endpoint serves.",
    "extract(epoch FROM c.not_before)",
  ),
  ofEndpoints(
    "sealwatch_endpoint_reachable",
    "Whether the last check saw a certificate.",
    "CASE WHEN e.reachability = 'reachable' THEN 1 ELSE 0 END",
    "e.reachability <> 'unknown'",
  ),
  ofEndpoints(
    "sealwatch_endpoint_last_check_timestamp_seconds",
    "Time of the endpoint's last check.",
    "extract(epoch FROM e.last_checked_at)",
    "e.last_checked_at IS NOT NULL",
  ),
  ofEndpoints(
    "sealwatch_endpoint_open_findings",
    "Open findings of the endpoint.",
    "(SELECT count(*) FROM certificate_findings f WHERE f.organization_id = e.organization_id AND f.endpoint_id = e.id AND f.closed_at IS NULL)",
  ),
  ofMonitors(
    "sealwatch_monitor_up",
    "Whether the monitor is up.",
    "CASE WHEN m.status = 'up' THEN 1 ELSE 0 END",
    "m.paused_at IS NULL AND m.status <> 'pending'",
  ),
  ofMonitors(
    "sealwatch_monitor_last_check_timestamp_seconds",
    "Time of the monitor's last check.",
    "extract(epoch FROM m.last_checked_at)",
    "m.last_checked_at IS NOT NULL",
  ),
  ofMonitors(
    "sealwatch_monitor_response_time_seconds",
    "Duration of the monitor's last check.",
    "(m.last_check->>'total_us')::float / 1e6",
    // A heartbeat is called: nothing is measured.
    "m.paused_at IS NULL AND m.last_check IS NOT NULL AND m.type <> 'heartbeat'",
  ),
];

/** Escapes a label's value (Prometheus exposition formats, text-based). */
function escaped(value: unknown): string {
  return String(value).replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');
}

/** One line of the text format. */
export function sample(name: string, labels: Record<string, unknown>, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
  return `${name}{${pairs.join(",")}} ${value}\n`;
}

/** The lines of one metric, page by page. */
async function* pagesOf(organizationId: string, { name, help, text }: Metric): AsyncGenerator<string> {
  let lines = `# HELP ${name} ${help}\n# TYPE ${name} gauge\n`;
  for (let after: string | undefined = NOBODY; after !== undefined; lines = "") {
    const values: unknown[] = [organizationId, after, PAGE];
    const { rows }: { rows: Series[] } = await pool("report").query<Series>(text, values);
    for (const { labels, value } of rows) lines += sample(name, labels, value);
    after = rows.length >= PAGE ? rows.at(-1)?.id : undefined;
    yield lines;
  }
}

/** All lines. Reads the next page once the client has consumed the previous page, so that no slow client holds a connection. */
async function* exposition(organizationId: string): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for (const metric of metrics) for await (const lines of pagesOf(organizationId, metric)) yield encoder.encode(lines);
}

/** The current state of endpoints and monitors for Prometheus. Throws 503; a later failure breaks off the response. */
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
