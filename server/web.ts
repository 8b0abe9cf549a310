import { createServer, type IncomingMessage, Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import next from "next";
import { wakeRulesOnEvents } from "@/lib/alerts/evaluation/wake-on-events";
import { config } from "@/lib/config";
import { logFailure } from "@/lib/db/outage-log";
import { type Arrival, arrivals } from "@/lib/http/arrival";
import { countryOf } from "@/lib/http/country";
import { log } from "@/lib/log";
import { count, onRead, setGauge } from "@/lib/metrics/metrics";
import { beforeExit } from "@/lib/shutdown";
import { STATUS_POLICY } from "@/lib/status-pages/public/look";
import { startTracing } from "@/lib/tracing/start-tracing";
import { outputJson } from "@/server/json-output";
import { secureLimits } from "@/server/limits";
import { reportMetrics } from "@/server/metrics/report-metrics";
import { reportPresence } from "@/server/presence/report-presence";
import { admitConnection } from "@/server/web/admit-connection";
import { Connections } from "@/server/web/connections";
import { isApi, isAsset, isBadge, isDecodable, isStatusPage, shapeForNext, targetOf } from "@/server/web/dispatch";
import { refuseAddress } from "@/server/web/limit-address";
import { refuseBody } from "@/server/web/limit-body";
import { measureResponse, type RequestGroup, requestGroup } from "@/server/web/measure-response";
import { showFailure } from "@/server/web/refusal";
import { answerByHandler, loadRouteHandlers } from "@/server/web/route-handlers";
import { newNonce, pagePolicy, securityHeaders } from "@/server/web/security-headers";
import { receiveConnections } from "@/server/web/shared-listener";
import { stopOnSignal } from "@/server/web/stop-web";
import { tracePage } from "@/server/web/trace-page";
import { afterLastRequest, answerUnparsable } from "@/server/web/unparsable";

/** Limits of Node's HTTP server, in milliseconds and bytes. */
const limits = {
  headersTimeout: 15_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: 16_384,
};
const STALLED_MS = 60_000;
const MAX_CONNECTIONS = 10_000;
/** After a refusal, unread bytes must not reset the connection before the client has read the response. */
const LINGERING_CLOSE_MS = 1_000;

/** The peer's address of each connection, read when it was opened. */
const peers = new WeakMap<object, string>();
/** Connections whose bytes are not a request: further bytes belong to the refused ones and get no response. */
const refused = new WeakSet<object>();
/** The beginning of each connection's next request, until its headers are complete: a parse error has only the last packet. */
const beginnings = new WeakMap<object, string>();
const LONGEST_BEGINNING = 16_384;
/** Connections whose last packet ended within a body: the next one begins with the rest of it. */
const withinBody = new WeakSet<object>();
/** Requests in progress, also those whose client has disconnected: their events must be durable before the process exits. */
const underWay = new Set<Promise<void>>();

async function serve(dev: boolean): Promise<void> {
  const { PORT, HOST, PUBLIC_URL, WEB_CONCURRENCY } = config();
  await secureLimits();
  await startTracing("web");
  // Only from here on, because a refusal to start is plain text for the operator.
  if (!dev) outputJson();
  wakeRulesOnEvents();
  // Loaded now, so that a missing file stops the start rather than the first request.
  countryOf("127.0.0.1");
  // Next attaches an upgrade listener to the server that it gets. In production our server has none, so that requests for an
  // upgrade are answered like all others (RFC 9110, 7.8). In development it forwards the upgrades of hot reload.
  const upgrades = new Server();
  const app = next({ dev, hostname: HOST, port: PORT, httpServer: upgrades });
  await app.prepare();
  const handle = app.getRequestHandler();
  // In development Next reloads changed routes.
  if (!dev) await loadRouteHandlers();
  const server = createServer({ ...limits, requireHostHeader: false }, onRequest);
  // Node.js drops headers beyond a maximum count without an error, perhaps one that a proxy appended. Their size is limited anyway.
  server.maxHeadersCount = 0;
  const connections = new Connections(server, (socket) => beginnings.has(socket) || refused.has(socket));
  // No bytes move on the connection: it is idle, or the client has stopped reading. Slow requests have nothing to send yet.
  server.setTimeout(STALLED_MS, (socket) => {
    if (!connections.isAnswering(socket) || socket.writableLength > 0) socket.destroy();
  });
  if (dev) server.on("upgrade", (...upgrade) => upgrades.emit("upgrade", ...upgrade));
  server.on("checkExpectation", onRequest);
  server.on("connection", (socket: Socket) => {
    // Node.js removes its own listener from a connection that asks for a tunnel or an upgrade.
    socket.on("error", () => socket.destroy());
    // The peer has already reset the connection: nothing was read, and no response would arrive.
    const peer = socket.remoteAddress;
    if (peer === undefined || !admitConnection(socket, peer)) return void socket.destroy();
    if (connections.count > MAX_CONNECTIONS) connections.closeOldestIdle();
    peers.set(socket, peer);
    socket.on("data", (packet) => {
      // Node.js has parsed the packet already.
      const beginsWithBody = withinBody.delete(socket);
      if (connections.isReceivingBody(socket)) withinBody.add(socket);
      const soFar = beginnings.get(socket) ?? "";
      if (beginsWithBody || connections.isAnswering(socket) || soFar.length > LONGEST_BEGINNING) return;
      beginnings.set(socket, soFar + packet.toString("latin1", 0, LONGEST_BEGINNING));
    });
  });
  const refuse = (beginning: string, code: string | undefined, socket: Socket) => {
    if (connections.isReceivingBody(socket)) return void socket.destroy();
    if (refused.has(socket)) return;
    refused.add(socket);
    count("sealwatch_http_unparsable_requests_total", {});
    const peer = peers.get(socket) ?? "";
    const answered = answerUnparsable({ beginning, code, socket, peer, answered: connections.answered(socket) })
      .catch((failure: unknown) => {
        logFailure("a malformed request could not be answered", failure);
        socket.destroy();
      })
      .finally(() => setTimeout(() => socket.destroy(), LINGERING_CLOSE_MS).unref());
    beforeExit(answered);
  };
  server.on("clientError", (error: Error & { code?: string; rawPacket?: Buffer; bytesParsed?: number }, socket) => {
    const packet = error.rawPacket?.toString("latin1") ?? "";
    // The packet may begin with a request that is being answered, or with the rest of one that was answered before its end.
    const isAfterRequest = connections.isAnswering(socket as Socket) || withinBody.has(socket);
    const rest = isAfterRequest ? afterLastRequest(packet, error.bytesParsed ?? 0) : packet;
    refuse((beginnings.get(socket) ?? "") + rest.slice(0, LONGEST_BEGINNING), error.code, socket as Socket);
  });
  server.on("connect", ({ method, url, headersDistinct }, socket) => {
    const forwarded = headersDistinct["x-forwarded-for"]?.join(",") ?? "";
    refuse(`${method} ${url} HTTP/1.1\r\nX-Forwarded-For: ${forwarded}\r\n\r\n`, method, socket as Socket);
  });

  const onEveryAnswer = Object.entries(securityHeaders(PUBLIC_URL.startsWith("https:")));

  /** Serves what is outside of the API, where nobody but Next reads the request. */
  async function serve(
    message: IncomingMessage,
    response: ServerResponse,
    { target, peer, group }: Arrival & { group: RequestGroup },
  ): Promise<void> {
    if (await refuseAddress(message, response, { target, group, peer })) return;
    if (await refuseBody(message, response, target)) return;
    await handle(message, response);
  }

  function onRequest(message: IncomingMessage, response: ServerResponse): void {
    if (!connections.begin(message.socket, response)) return;
    beginnings.delete(message.socket);
    const target = targetOf(message.url ?? "/");
    const arrival = { method: message.method ?? "", target, message, peer: peers.get(message.socket) ?? "" };
    for (const [name, value] of onEveryAnswer) response.setHeader(name, value);
    message.url = target;
    const route = isApi(target) ? shapeForNext(message, target) : null;
    const group = requestGroup(route, target);
    measureResponse(response, { method: arrival.method, group });
    if (route === null && !isDecodable(target)) return void refuseUndecodable(response);
    if (isStatusPage(target)) response.setHeader("Content-Security-Policy", STATUS_POLICY);
    else if (isBadge(target)) response.setHeader("Cross-Origin-Resource-Policy", "cross-origin");
    else if (route === null && !isAsset(target)) {
      // Next gives its scripts the nonce that it finds in the request's headers.
      const policy = pagePolicy(newNonce(), dev);
      message.headers["content-security-policy"] = policy;
      response.setHeader("Content-Security-Policy", policy);
    }
    const isPage = route === null && group !== "assets" && group !== "health";
    const work = arrivals
      .run(arrival, () => {
        if (route !== null) return dev ? handle(message, response) : answerByHandler(route, message, response);
        const serving = () => serve(message, response, { ...arrival, group });
        return isPage ? tracePage(message, response, target, serving) : serving();
      })
      .catch((error: unknown) => {
        logFailure("a response was interrupted", error);
        response.destroy();
      })
      .finally(() => underWay.delete(work));
    underWay.add(work);
  }

  onRead("web", () => {
    setGauge("sealwatch_http_connections", {}, connections.count);
    setGauge("sealwatch_http_requests_in_progress", {}, underWay.size);
  });
  reportMetrics();
  reportPresence("web");
  stopOnSignal(server, connections, underWay);
  if (WEB_CONCURRENCY > 1) receiveConnections(server);
  else server.listen(PORT, HOST, () => process.send?.({ type: "ready" }));
  server.on("error", (error) => {
    log.fatal({ err: error }, "the web server cannot listen");
    process.exit(1);
  });
}

function refuseUndecodable(response: ServerResponse): void {
  response.writeHead(400, { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" });
  response.end("The percent-encoding of this address is invalid.\n");
}

serve(process.argv.includes("--dev")).catch((error: unknown) => {
  showFailure(error);
  process.exit(1);
});
