#!/usr/bin/env node
// Checks endpoints inside a network for Sealwatch, and reports what they serve. Nothing but this file and Node.js 20 or later.
//   SEALWATCH_API_KEY=… node sealwatch-agent.mjs --url https://sealwatch.example.com --agent ID [--state DIR] [--poll-seconds N]
//        [--files DIR]… [--pkcs12-password-file FILE] [--service-account DIR]
// SEALWATCH_API_KEY_FILE names a file with the key instead. It reads certificates only from files below --files. The state is the agent's signing key, its targets and the reports that
// could not be sent yet: keep it. Exit status: 0 after SIGTERM or SIGINT, 1 if the agent cannot work, 2 for wrong arguments.
// How it works: docs/operations/agent.md. It shares no code with Sealwatch.
// Copyright Sealwatch contributors. Apache License 2.0.

import { constants, createPrivateKey, createPublicKey, generateKeyPairSync, sign } from "node:crypto";
import { lookup } from "node:dns/promises";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { readFile, realpath, stat } from "node:fs/promises";
import { request } from "node:https";
import { connect as connectTcp, isIP } from "node:net";
import { join, resolve as absolute, sep } from "node:path";
import { Duplex } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { connect as connectTls, createSecureContext, TLSSocket } from "node:tls";
import { parseArgs } from "node:util";

const VERSION = "1";
const PROBE_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
const MAX_PARALLEL_PROBES = 8;
/** Bounds of a report (the server's) and of the buffer: the oldest reports beyond it are deleted. */
const MAX_RESULTS = 20;
const MAX_REPORT_BYTES = 1_000_000;
const MAX_CHAIN = 20;
const MAX_ADDRESSES = 16;
const MAX_BUFFERED_REPORTS = 1_000;
/** If the clock of this machine differs by more from that of the server, the server's is used. */
const MAX_CLOCK_OFFSET_MS = 30_000;
/** The server refuses older reports. */
const MAX_REPORT_AGE_MS = 24 * 3_600_000;
/** Answers after which sending the same report again is useless. A time of a clock that was ahead is an INVALID_REQUEST. */
const FINAL = new Set(["REPORT_REPLAYED", "REPORT_EXPIRED", "INVALID_REQUEST", "BODY_TOO_LARGE"]);

const log = (message, more = {}) =>
  console.log(JSON.stringify({ time: new Date().toISOString(), message, ...more }));

function stop(status, message) {
  console.error(`sealwatch-agent: ${message}`);
  process.exit(status);
}

function readSettings() {
  const text = (value) => ({ type: "string", default: value });
  const options = {
    url: text(),
    agent: text(),
    state: text("/var/lib/sealwatch-agent"),
    "poll-seconds": text("60"),
    files: { type: "string", multiple: true, default: [] },
    "pkcs12-password-file": text(),
    "service-account": text("/var/run/secrets/kubernetes.io/serviceaccount"),
  };
  const usage = "usage: sealwatch-agent.mjs --url URL --agent ID [--state DIR] [--poll-seconds N] [--files DIR]…";
  try {
    const { values } = parseArgs({ options });
    const { url, agent, state, files, "service-account": serviceAccount } = values;
    const pollMs = Number(values["poll-seconds"]) * 1000;
    if (!URL.canParse(url ?? "") || agent === undefined) stop(2, usage);
    if (!(pollMs >= 1000 && pollMs <= 300_000)) stop(2, "--poll-seconds must be a number from 1 to 300");
    const { SEALWATCH_API_KEY: given, SEALWATCH_API_KEY_FILE: file } = process.env;
    const apiKey = given || (file && readFileSync(file, "utf8").trim());
    if (!apiKey) stop(2, "SEALWATCH_API_KEY or SEALWATCH_API_KEY_FILE must be set");
    const base = `${url.replace(/\/+$/, "")}/api/v1/certificates/agents/${agent}`;
    const passwordFile = values["pkcs12-password-file"];
    return { base, agent, state, pollMs, apiKey, files: files.map((each) => absolute(each)), passwordFile, serviceAccount };
  } catch (error) {
    return stop(2, `${error.message}\n${usage}`);
  }
}

const settings = readSettings();
const stopping = new AbortController();
for (const signal of ["SIGTERM", "SIGINT"]) process.once(signal, () => stopping.abort());

// ── State ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

const reportsDirectory = join(settings.state, "reports");
const pathOf = (name) => join(settings.state, name);

/** Replaces a file at once, so that a crash leaves the old or the new one. Node.js before 20.10 does not flush. */
function write(path, text) {
  writeFileSync(`${path}.new`, text, { mode: 0o600, flush: true });
  renameSync(`${path}.new`, path);
}

/** What `parse` makes of a file; null if it is missing, undefined if it is damaged, as after a power loss. */
function readStored(path, parse) {
  let text;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (error.code === "ENOENT") return null;
    throw error;
  }
  try {
    return parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function openIdentity() {
  mkdirSync(reportsDirectory, { recursive: true, mode: 0o700 });
  const path = pathOf("identity.json");
  const stored = readStored(path, (each) => ({ ...each, key: createPrivateKey(each.private_key) }));
  if (stored === undefined)
    stop(1, `${path} is damaged. Empty ${settings.state}, and start with the new key that POST ${settings.base}/credentials returns.`);
  if (stored !== null) return stored;
  const key = generateKeyPairSync("ed25519").privateKey;
  const made = { private_key: key.export({ type: "pkcs8", format: "pem" }), sequence: 0 };
  write(path, JSON.stringify(made));
  return { ...made, key };
}

const buffered = () => readdirSync(reportsDirectory).filter((name) => name.endsWith(".json")).sort();

// ── Server ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** A refusal by the server. */
class Refused extends Error {
  constructor({ code, message }, status) {
    super(`${status} ${code}: ${message}`);
    this.code = code;
  }
}

/** Milliseconds by which the server's clock is ahead of that of this machine, or 0 if they differ by at most MAX_CLOCK_OFFSET_MS. */
let clockOffsetMs = 0;

/** The time by the server's clock, in Unix milliseconds. */
const now = () => Date.now() + clockOffsetMs;

/** Learns the offset of the clock from the `Date` of a response. */
function learnClock(date) {
  const offset = Date.parse(date ?? "") - Date.now();
  if (Number.isNaN(offset)) return;
  const isWrong = Math.abs(offset) > MAX_CLOCK_OFFSET_MS;
  if (isWrong && clockOffsetMs === 0)
    log("the clock of this machine is wrong: that of Sealwatch is used", { seconds_ahead: Math.round(-offset / 1000) });
  clockOffsetMs = isWrong ? offset : 0;
}

/** The response's JSON. Throws Refused, or another error if the server cannot be reached. */
async function call(method, path, body) {
  const response = await fetch(`${settings.base}${path}`, {
    method,
    headers: { authorization: `Bearer ${settings.apiKey}`, ...(body && { "content-type": "application/json" }) },
    body,
    redirect: "error",
    signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]),
  });
  const answer = await response.json().catch(() => ({}));
  // What answers instead of Sealwatch may have another clock.
  if (response.ok || answer.error?.code !== undefined) learnClock(response.headers.get("date"));
  if (response.ok) return answer;
  throw new Refused(answer.error ?? { code: "UNKNOWN", message: "no answer of Sealwatch" }, response.status);
}

/** The canonical JSON of RFC 8785. */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(",")}}`;
}

/** Signs a report of these results and stores it until it is sent. */
function buffer(identity, results) {
  identity.sequence += 1;
  write(pathOf("identity.json"), JSON.stringify({ private_key: identity.private_key, sequence: identity.sequence }));
  const report = { sequence: identity.sequence, signed_at: new Date(now()).toISOString(), version: VERSION, results };
  const bytes = Buffer.from(`sealwatch-agent-report\n${settings.agent}\n${canonical(report)}`);
  const signed = { ...report, signature: sign(null, bytes, identity.key).toString("base64") };
  write(join(reportsDirectory, `${String(identity.sequence).padStart(10, "0")}.json`), JSON.stringify(signed));
  const all = buffered();
  for (const name of all.slice(0, Math.max(0, all.length - MAX_BUFFERED_REPORTS))) {
    rmSync(join(reportsDirectory, name));
    log("the buffer is full: a report was deleted", { report: name });
  }
}

/** Stores results as reports that are within the bounds of the server. */
function bufferAll(identity, results) {
  let part = [];
  let size = 0;
  for (const result of results) {
    const length = JSON.stringify(result).length;
    if (part.length === MAX_RESULTS || (part.length > 0 && size + length > MAX_REPORT_BYTES)) {
      buffer(identity, part);
      [part, size] = [[], 0];
    }
    part.push(result);
    size += length;
  }
  if (part.length > 0) buffer(identity, part);
}

/** Sends the stored reports, oldest first. Throws if one has to wait. */
async function sendReports() {
  for (const name of buffered()) {
    const path = join(reportsDirectory, name);
    const report = readStored(path, (each) => ({ ...each, results: [...each.results] }));
    // Deleted meanwhile if the buffer was full.
    if (report === null) continue;
    if (report === undefined) log("a stored report is damaged: it was deleted", { report: name });
    else await sendReport(report);
    rmSync(path, { force: true });
  }
}

/** Resolves when the report is no longer needed. Throws if it has to wait. */
async function sendReport(report) {
  const { sequence, signed_at, results } = report;
  if (Date.parse(signed_at) < now() - MAX_REPORT_AGE_MS) return log("a report was too old to be sent", { sequence });
  try {
    const { data } = await call("POST", "/reports", JSON.stringify(report));
    log("reported", { sequence, results: results.length, skipped: data.skipped });
  } catch (error) {
    if (!FINAL.has(error.code)) throw error;
    log("a report was refused", { sequence, error: error.message });
  }
}

let sending = null;

/** Sends the stored reports, unless that is under way. Resolves when that has ended, and never rejects. */
function trySending() {
  sending ??= sendReports()
    .catch((error) => log("reports wait", { error: error.message, buffered: buffered().length }))
    .finally(() => {
      sending = null;
    });
  return sending;
}

async function readTargets() {
  const targets = [];
  let cursor = null;
  do {
    const more = cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const { data, pagination } = await call("GET", `/targets?limit=200${more}`);
    targets.push(...data);
    cursor = pagination.next_cursor;
  } while (cursor !== null);
  return targets;
}

// ── Probes ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Like Sealwatch's own checks: accepts what is outdated, because weaknesses are to be reported, and verifies nothing. */
const secureContext = createSecureContext({
  ca: [],
  minVersion: "TLSv1",
  ciphers: "TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256:ALL:!aNULL:!eNULL:@SECLEVEL=0",
  secureOptions: constants.SSL_OP_LEGACY_SERVER_CONNECT,
});

const REASONS = {
  ENOTFOUND: "name_not_found",
  EAI_AGAIN: "server_failure",
  ECONNREFUSED: "connection_refused",
  ECONNRESET: "connection_reset",
  EPIPE: "connection_reset",
  EHOSTUNREACH: "no_route",
  ENETUNREACH: "no_route",
  ETIMEDOUT: "timeout",
};
const NOT_TLS = /WRONG_VERSION_NUMBER|HTTP_REQUEST|PACKET_LENGTH_TOO_LONG|BAD_RECORD_TYPE|UNEXPECTED_MESSAGE/;
const TIMEOUT = Object.assign(new Error("timeout"), { code: "ETIMEDOUT" });

function reasonOf({ code = "", message = "" }) {
  if (code === "ECONNRESET" && message.startsWith("Client network socket disconnected")) return "connection_closed";
  if (code in REASONS) return REASONS[code];
  if (NOT_TLS.test(code)) return "not_tls";
  if (code.includes("ALERT")) return "alert";
  if (code.includes("EXCESSIVE_MESSAGE_SIZE")) return "chain_too_large";
  return code.startsWith("ERR_SSL") || code === "EPROTO" ? "protocol_error" : "error";
}

const since = (start) => Math.round((performance.now() - start) * 10) / 10;

function failure(address, timings, kind, error) {
  const detail = error === TIMEOUT ? null : (error.reason ?? error.message).toWellFormed().slice(0, 300);
  return { outcome: "failed", address, timings, kind, reason: reasonOf(error), detail };
}

/** The served chain in DER as base64. Each issuer link leads to the next served certificate. */
function chainOf(socket) {
  const chain = [];
  for (let each = socket.getPeerX509Certificate(); each && chain.length < MAX_CHAIN; each = each.issuerCertificate) {
    chain.push(each.raw.toString("base64"));
  }
  return chain;
}

/** Observes one address: TCP, then a TLS handshake. Never rejects. */
function observe(resolved, { host, port, sni, protocol }, timings) {
  return new Promise((resolve) => {
    const start = performance.now();
    const connection = connectTcp({ host: resolved, port });
    // Without the zone of a link-local address, which means nothing elsewhere.
    const [address] = resolved.split("%");
    let socket = null;
    let connectedAt = 0;
    const end = (observation) => {
      clearTimeout(timer);
      for (const each of [connection, socket]) each?.removeAllListeners("error").on("error", () => {});
      socket?.destroy();
      connection.destroy();
      resolve(observation);
    };
    const serve = () => {
      const chain = chainOf(socket);
      if (chain.length === 0) return false;
      const { name: cipher } = socket.getCipher() ?? { name: null };
      const taken = { ...timings, tls_ms: since(connectedAt) };
      end({ outcome: "served", address, timings: taken, protocol: socket.getProtocol(), cipher, chain });
      return true;
    };
    const fail = (error) => {
      if (socket === null) return end(failure(address, timings, "unreachable", error));
      // Rejected for lack of a client certificate: the server's certificate has been seen by then.
      if (reasonOf(error) === "alert" && serve()) return;
      end(failure(address, timings, "tls_handshake_failed", error));
    };
    const timer = setTimeout(() => fail(TIMEOUT), PROBE_TIMEOUT_MS);
    connection.once("error", fail);
    connection.once("connect", () => {
      timings.connect_ms = since(start);
      connectedAt = performance.now();
      const name = sni ?? host;
      socket = connectTls({
        socket: connection,
        secureContext,
        rejectUnauthorized: false,
        checkServerIdentity: () => undefined,
        ...(isIP(name) === 0 && { servername: name }),
        ...(protocol === "https" && { ALPNProtocols: ["h2", "http/1.1"] }),
      });
      socket.once("error", fail);
      socket.once("secureConnect", () => {
        if (!serve()) fail(Object.assign(new Error("no certificate"), { code: "EPROTO" }));
      });
    });
  });
}

/** The addresses of a name in the order of the name server, or the address itself. */
async function resolve(name) {
  if (isIP(name) !== 0) return [name];
  const late = delay(PROBE_TIMEOUT_MS, undefined, { ref: false }).then(() => Promise.reject(TIMEOUT));
  const found = await Promise.race([lookup(name, { all: true, verbatim: true }), late]);
  return [...new Set(found.map(({ address }) => address))];
}

// ── Files and secrets ──────────────────────────────────────────────────────────────────────────────────────────────────────────

const MAX_FILE_BYTES = 2 ** 20;
const NO_TIMINGS = { dns_ms: null, connect_ms: null, tls_ms: null };

/** A file or secret cannot be read, for a reason that Sealwatch knows. */
class Unreadable extends Error {
  constructor(reason) {
    super(reason);
    this.reason = reason;
  }
}

const FILE_REASONS = { ENOENT: "file_not_found", ENOTDIR: "file_not_found", EISDIR: "no_certificate", EACCES: "permission_denied" };

/** The path without links. Throws Unreadable unless it is below a folder of --files. */
async function allowedPath(path) {
  const real = await realpath(path);
  const folders = await Promise.all(settings.files.map((each) => realpath(each).catch(() => each)));
  if (!folders.some((folder) => real === folder || real.startsWith(folder.endsWith(sep) ? folder : folder + sep)))
    throw new Unreadable("not_allowed");
  return real;
}

async function readCertificateFile(path) {
  const real = await allowedPath(path);
  if ((await stat(real)).size > MAX_FILE_BYTES) throw new Unreadable("too_large");
  const bytes = await readFile(real);
  const chain = pemChain(bytes.toString("latin1"));
  return chain.length > 0 || bytes[0] !== 0x30 ? chain : pkcs12Chain(bytes);
}

/** The certificates of a PEM text; everything else in it, such as a private key, is left out. */
function pemChain(text) {
  const blocks = text.matchAll(/-----BEGIN CERTIFICATE-----([^-]*)-----END CERTIFICATE-----/g);
  return [...blocks].slice(0, MAX_CHAIN).map(([, body]) => Buffer.from(body, "base64").toString("base64"));
}

/** Two streams in memory, each of which reads what the other one writes. */
function streamPair() {
  const end = (other) =>
    new Duplex({
      read() {},
      write(part, _encoding, done) {
        other().push(part);
        done();
      },
      final(done) {
        other().push(null);
        done();
      },
    });
  const pair = [end(() => pair[1]), end(() => pair[0])];
  return pair;
}

/**
 * The chain that a server with this PKCS #12 file serves. Node.js does not list the certificates of such a file, so this is a TLS
 * handshake in memory, and a file without a private key has none.
 */
async function pkcs12Chain(pfx) {
  const { passwordFile } = settings;
  const passphrase = passwordFile === undefined ? "" : (await readFile(passwordFile, "utf8")).trimEnd();
  let context;
  try {
    context = createSecureContext({ pfx, passphrase, ciphers: "DEFAULT:@SECLEVEL=0" });
  } catch (error) {
    if (error.message.includes("mac verify")) throw new Unreadable("wrong_password");
    throw new Unreadable(error.code === "ERR_CRYPTO_UNSUPPORTED_OPERATION" ? "unsupported_encryption" : "no_certificate");
  }
  const [near, far] = streamPair();
  const server = new TLSSocket(far, { isServer: true, secureContext: context }).on("error", () => {});
  const client = connectTls({ socket: near, secureContext, rejectUnauthorized: false });
  try {
    return await new Promise((done, fail) => {
      client.once("secureConnect", () => done(chainOf(client)));
      client.once("error", () => fail(new Unreadable("no_certificate")));
      client.once("close", () => fail(new Unreadable("no_certificate")));
    });
  } finally {
    client.on("error", () => {}).destroy();
    server.destroy();
  }
}

/** The certificates of a TLS secret, read with the service account of the pod. The private key is not kept. */
async function readSecret(namespace, name) {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = process.env;
  if (host === undefined) throw new Unreadable("not_in_cluster");
  const [token, ca] = await Promise.all(
    ["token", "ca.crt"].map((file) => readFile(join(settings.serviceAccount, file), "utf8")),
  );
  const text = await new Promise((done, fail) => {
    const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/secrets/${encodeURIComponent(name)}`;
    const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS);
    const options = { host, port: port ?? 443, path, ca, signal, headers: { authorization: `Bearer ${token.trim()}` } };
    const sent = request(options, (response) => {
      const { statusCode = 0 } = response;
      let body = "";
      response.setEncoding("utf8").on("error", fail);
      response.on("data", (part) => {
        body += part;
        if (body.length > 2 * MAX_FILE_BYTES) sent.destroy(new Unreadable("too_large"));
      });
      response.on("end", () => {
        if (statusCode === 200) return done(body);
        if (statusCode === 404) return fail(new Unreadable("secret_not_found"));
        fail(statusCode === 401 || statusCode === 403 ? new Unreadable("permission_denied") : new Error(`HTTP ${statusCode}`));
      });
    });
    sent.on("error", fail).end();
  });
  const encoded = JSON.parse(text).data?.["tls.crt"];
  if (typeof encoded !== "string") throw new Unreadable("secret_not_found");
  return pemChain(Buffer.from(encoded, "base64").toString("latin1"));
}

/** What to read instead of connecting: a function, or null. */
function readerOf({ connect_to }) {
  if (connect_to?.startsWith("file:")) return () => readCertificateFile(connect_to.slice("file:".length));
  const [, namespace, name] = /^kubernetes:([^/]+)\/(.+)$/.exec(connect_to ?? "") ?? [];
  return name === undefined ? null : () => readSecret(namespace, name);
}

/** What a file or secret has. Never rejects. */
async function observeLocal(read) {
  try {
    const chain = await read();
    if (chain.length === 0) throw new Unreadable("no_certificate");
    return { outcome: "served", address: null, timings: NO_TIMINGS, protocol: null, cipher: null, chain };
  } catch (error) {
    if (error instanceof Unreadable || error.code in FILE_REASONS) {
      const reason = error instanceof Unreadable ? error.reason : FILE_REASONS[error.code];
      return { outcome: "failed", address: null, timings: NO_TIMINGS, kind: "unreachable", reason, detail: null };
    }
    return failure(null, NO_TIMINGS, "unreachable", error);
  }
}

/** What was last read of each file and secret, by endpoint. */
const lastRead = new Map();

/** The files and secrets that are not what they were when they were last read. */
async function changedLocally(targets) {
  const local = targets.filter((target) => readerOf(target) !== null);
  const changed = await mapParallel(local, async (target) => {
    const before = lastRead.get(target.endpoint_id);
    return before !== undefined && before !== JSON.stringify(await observeLocal(readerOf(target))) ? [target] : [];
  });
  return changed.flat();
}

/** What an endpoint serves: at the first address that accepts a connection, or at each address. */
async function probe(target) {
  const read = readerOf(target);
  if (read !== null) {
    const observation = await observeLocal(read);
    lastRead.set(target.endpoint_id, JSON.stringify(observation));
    return [observation];
  }
  const name = target.connect_to ?? target.host;
  const timings = () => ({ dns_ms: dnsMs, connect_ms: null, tls_ms: null });
  const start = performance.now();
  let dnsMs = null;
  let addresses;
  try {
    addresses = await resolve(name);
    if (isIP(name) === 0) dnsMs = since(start);
  } catch (error) {
    return [failure(null, timings(), "dns_failure", error)];
  }
  if (target.address_mode === "all") {
    // Name servers rotate their answers: which addresses are observed must not depend on it.
    return Promise.all(addresses.sort().slice(0, MAX_ADDRESSES).map((each) => observe(each, target, timings())));
  }
  let failure = null;
  for (const address of addresses.slice(0, MAX_ADDRESSES)) {
    const observation = await observe(address, target, timings());
    if (observation.outcome === "served" || observation.kind !== "unreachable") return [observation];
    // Any other failure says more than a missing route, which is usual for IPv6.
    if (failure === null || failure.reason === "no_route") failure = observation;
  }
  return [failure];
}

async function check(target) {
  const { endpoint_id, version } = target;
  const observed_at = new Date(now()).toISOString();
  const observations = await probe(target);
  target.due_at = new Date(now() + target.interval_seconds * 1000).toISOString();
  return { endpoint_id, version, observed_at, observations };
}

/** Checks targets, and sends their results in parts as they come: slow targets do not delay what others serve. */
async function checkAll(identity, targets) {
  const results = [];
  await mapParallel(targets, async (target) => {
    results.push(await check(target));
    if (results.length < MAX_RESULTS) return;
    bufferAll(identity, results.splice(0));
    trySending();
  });
  bufferAll(identity, results);
  await sending;
  await trySending();
}

/** Applies `work` to each item, a few at a time. */
async function mapParallel(items, work) {
  const results = [];
  const waiting = [...items];
  const run = async () => {
    for (let item = waiting.shift(); item !== undefined && !stopping.signal.aborted; item = waiting.shift()) {
      results.push(await work(item));
    }
  };
  await Promise.all(Array.from({ length: MAX_PARALLEL_PROBES }, run));
  return results;
}

// ── Work ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Enrolls the signing key; again with each start, which has no effect. Numbers go on after those the server knows. */
async function enroll(identity) {
  const { x } = createPublicKey(identity.key).export({ format: "jwk" });
  const public_key = Buffer.from(x, "base64url").toString("base64");
  const { data } = await call("POST", "/enrollment", JSON.stringify({ public_key, version: VERSION }));
  identity.sequence = Math.max(identity.sequence, data.last_sequence);
}

async function run() {
  const identity = openIdentity();
  let targets = readStored(pathOf("targets.json"), (each) => (Array.isArray(each) ? each : undefined)) ?? [];
  let isEnrolled = false;
  log("started", { version: VERSION, targets: targets.length, buffered: buffered().length });
  while (!stopping.signal.aborted) {
    try {
      if (!isEnrolled) await enroll(identity);
      isEnrolled = true;
      await sendReports();
      targets = await readTargets();
      write(pathOf("targets.json"), JSON.stringify(targets));
    } catch (error) {
      if (stopping.signal.aborted) break;
      if (!isEnrolled && error.code === "CONFLICT") stop(1, error.message);
      log("Sealwatch cannot be used now", { error: error.message, cause: error.cause?.message });
    }
    const changed = await changedLocally(targets);
    const due = targets.filter((target) => Date.parse(target.due_at) <= now() || changed.includes(target));
    if (due.length > 0) {
      await checkAll(identity, due);
      write(pathOf("targets.json"), JSON.stringify(targets));
    }
    await delay(settings.pollMs, undefined, { signal: stopping.signal }).catch(() => {});
  }
  log("stopped", { buffered: buffered().length });
}

await run().catch((error) => stop(1, error.stack));
