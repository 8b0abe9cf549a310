import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { AggregatorRegistry } from "prom-client";
import { log } from "@/lib/log";
import { readMetrics, type Snapshot, setGauge } from "@/lib/metrics/metrics";

/** A process of Sealwatch as the metrics see it. */
export interface Measured {
  /** The value of the label `process`: `web-0`, `worker`. */
  name: string;
  /** Its metrics; null if it does not answer in time. */
  readMetrics: () => Promise<Snapshot[] | null>;
}

/** Limits of the server, in milliseconds and connections. Connections outlive the usual intervals between scrapes. */
const limits = { headersTimeout: 5_000, requestTimeout: 5_000, keepAliveTimeout: 120_000, maxHeaderSize: 16_384 };
const MAX_CONNECTIONS = 64;

interface Reading {
  isUp: ReadonlyMap<string, boolean>;
  metrics: Snapshot[][];
}

/** The same metrics with the label `process`, so that the counters of a restarted process begin again on their own. */
function ofProcess(name: string, metrics: readonly Snapshot[]): Snapshot[] {
  return metrics.map((metric) => ({
    ...metric,
    // Nothing is left to add up, and some of Node.js' metrics would be omitted.
    aggregator: "sum",
    // The event loop's delay is not a number until it was measured, which JSON passes on as null.
    values: metric.values
      .filter(({ value }) => Number.isFinite(value))
      .map((value) => ({ ...value, labels: { process: name, ...value.labels } })),
  }));
}

/** Serves the metrics of all processes of a start on a port of their own, and whether these processes answer. */
export class MetricsServer {
  readonly #server: Server;
  #reading: Promise<Reading> | undefined;

  /** `processes` are those that should run now, besides this one. */
  constructor(private readonly processes: () => readonly Measured[]) {
    this.#server = createServer(limits, (request, response) => void this.#answer(request, response));
    this.#server.maxConnections = MAX_CONNECTIONS;
  }

  /** Rejects if it cannot listen on the port. */
  listen(port: number, host: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(port, host, resolve);
    });
  }

  /** Stops immediately: a scrape can be repeated. */
  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  /** Asks every process at the same time. Concurrent scrapes share a reading. */
  #read(): Promise<Reading> {
    this.#reading ??= this.#askAll().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #askAll(): Promise<Reading> {
    const answers = await Promise.all(
      this.processes().map(async (process) => ({ name: process.name, metrics: await process.readMetrics() })),
    );
    const isUp = new Map(answers.map(({ name, metrics }) => [name, metrics !== null]));
    for (const [process, isRunning] of isUp) setGauge("sealwatch_process_up", { process }, isRunning ? 1 : 0);
    const own = ofProcess("supervisor", await readMetrics());
    const others = answers.flatMap(({ name, metrics }) => (metrics ? [ofProcess(name, metrics)] : []));
    return { isUp, metrics: [own, ...others] };
  }

  async #answer({ method, url = "" }: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader("Cache-Control", "no-store");
    const [path] = url.split("?", 1);
    try {
      if (method !== "GET" && method !== "HEAD") respond(response, 405, "text/plain", "Only GET.\n");
      else if (path === "/metrics") await this.#showMetrics(response);
      else if (path === "/healthz") await this.#showHealth(response);
      else respond(response, 404, "text/plain", "See /metrics and /healthz.\n");
    } catch (error) {
      log.error({ err: error }, "the metrics cannot be read");
      respond(response, 500, "text/plain", "The metrics cannot be read.\n");
    }
  }

  async #showMetrics(response: ServerResponse): Promise<void> {
    const { metrics } = await this.#read();
    const merged = AggregatorRegistry.aggregate(metrics);
    respond(response, 200, merged.contentType, await merged.metrics());
  }

  async #showHealth(response: ServerResponse): Promise<void> {
    const { isUp } = await this.#read();
    const isWell = isUp.size > 0 && [...isUp.values()].every(Boolean);
    const processes = Object.fromEntries([...isUp].map(([name, value]) => [name, value ? "ok" : "unavailable"]));
    const status = isWell ? "ok" : "unavailable";
    respond(response, isWell ? 200 : 503, "application/json", `${JSON.stringify({ status, processes })}\n`);
  }
}

function respond(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, { "Content-Type": type, "Content-Length": Buffer.byteLength(text) });
  response.end(text);
}
