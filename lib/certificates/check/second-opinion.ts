import { Duplex } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { connect, createSecureContext, type SecureContext, type TLSSocket } from "node:tls";
import { examineChain } from "@/lib/certificates/judge/chain";
import type { Refusal } from "@/lib/certificates/judge/judge";
import type { Path } from "@/lib/certificates/judge/path";
import type { Observations } from "@/lib/certificates/probe/observation";
import type { TrustStore } from "@/lib/certificates/trust-stores/trust-store";
import { type Certificate, toPem } from "@/lib/certificates/x509/x509";
import { processSingleton } from "@/lib/process-singleton";

const HANDSHAKE = 22;
const SERVER_HELLO = 2;
const CERTIFICATE = 11;
const MAX_RECORD_BYTES = 2 ** 14;
/** The cipher suite (ECDHE with AES-128-GCM) for each type of key in a certificate. */
const SUITES: Record<string, number> = { rsa: 0xc02f, "rsa-pss": 0xc02f, ec: 0xc02b, ed25519: 0xc02b, ed448: 0xc02b };
/** Maximum turns of the event loop to wait for OpenSSL, which needs one. Later, there is no opinion. */
const MAX_TURNS = 20;
/** Refusals to report. Those about time, trust, signatures and strength depend on OpenSSL's version or are judged by other findings. */
const REPORTED_CODES = new Set<unknown>(["INVALID_CA", "INVALID_PURPOSE", "PATH_LENGTH_EXCEEDED", "CERT_REJECTED"]);
/** Refusals that Node.js distinguishes only by their message. */
const IGNORED_MESSAGES = /unspecified|too weak|expired|not yet valid|issuer|signature|memory/i;

function length24(bytes: number): Buffer {
  return Buffer.from([bytes >> 16, (bytes >> 8) & 0xff, bytes & 0xff]);
}

function message(type: number, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from([type]), length24(body.length), body]);
}

/** A TLS 1.2 server's first messages: ServerHello with the renegotiation extension, and Certificate. */
function serverFlight(suite: number, chain: readonly Certificate[]): Buffer {
  const start = Buffer.concat([Buffer.from([3, 3]), Buffer.alloc(32)]);
  const hello = Buffer.concat([start, Buffer.from([0, suite >> 8, suite & 0xff, 0, 0, 5, 0xff, 1, 0, 1, 0])]);
  const list = Buffer.concat(chain.flatMap(({ x509: { raw } }) => [length24(raw.length), raw]));
  const certificates = Buffer.concat([length24(list.length), list]);
  const flight = Buffer.concat([message(SERVER_HELLO, hello), message(CERTIFICATE, certificates)]);
  const records: Buffer[] = [];
  for (let at = 0; at < flight.length; at += MAX_RECORD_BYTES) {
    const part = flight.subarray(at, at + MAX_RECORD_BYTES);
    records.push(Buffer.from([HANDSHAKE, 3, 3, part.length >> 8, part.length & 0xff]), part);
  }
  return Buffer.concat(records);
}

/** A connection that answers the first bytes, the ClientHello, with `answer`. */
function answering(answer: Buffer): Duplex {
  let isAnswered = false;
  return new Duplex({
    read() {},
    write(_hello, _encoding, done) {
      if (!isAnswered) this.push(answer);
      isAnswered = true;
      done();
    },
  });
}

/** OpenSSL's reason for refusing the peer's certificate; null without a refusal, or if this Node.js does not expose it. */
function refusalOf(socket: TLSSocket): string | null {
  const handle: unknown = Reflect.get(socket, "_handle");
  if (typeof handle !== "object" || handle === null || !("verifyError" in handle)) return null;
  if (typeof handle.verifyError !== "function") return null;
  const error: unknown = handle.verifyError();
  if (!(error instanceof Error) || !("code" in error)) return null;
  const isTelling =
    REPORTED_CODES.has(error.code) || (error.code === "UNSPECIFIED" && !IGNORED_MESSAGES.test(error.message));
  return isTelling ? error.message : null;
}

/** By anchor, which is the only root: creating a context costs more than the handshake. */
const contexts = new WeakMap<Certificate, SecureContext>();

function contextOf(anchor: Certificate): SecureContext {
  const context =
    contexts.get(anchor) ??
    createSecureContext({
      ca: toPem(anchor.x509.raw),
      allowPartialTrustChain: true,
      maxVersion: "TLSv1.2",
      ciphers: "ECDHE+AESGCM:@SECLEVEL=1",
    });
  contexts.set(anchor, context);
  return context;
}

/**
 * Completes half a handshake in memory, as far as OpenSSL verifies the certificate. The verdict is read while the handshake
 * waits for more: afterwards, Node has freed what it would be read from.
 */
async function ask([leaf, ...issuers]: readonly Certificate[], anchor: Certificate): Promise<string | null> {
  const suite = leaf && SUITES[leaf.keyType];
  if (leaf === undefined || suite === undefined) return null;
  const connection = answering(serverFlight(suite, [leaf, ...issuers]));
  const socket = connect({ socket: connection, secureContext: contextOf(anchor), rejectUnauthorized: false });
  for (const each of [socket, connection]) each.on("error", () => {});
  try {
    for (let turn = 0; turn < MAX_TURNS && !socket.destroyed; turn++) {
      await nextTurn();
      if (!socket.destroyed && socket.getPeerX509Certificate()?.raw.equals(leaf.x509.raw)) return refusalOf(socket);
    }
    return null;
  } finally {
    socket.destroy();
    connection.destroy();
  }
}

/** Maximum number of cached opinions, each for a day: an opinion changes only with time, and faults of time are not reported. */
const MAX_KEPT = 5_000;
const KEPT_MS = 24 * 3_600_000;

interface Opinion {
  refusal: Promise<string | null>;
  until: number;
}

/**
 * Why OpenSSL refuses a path to an anchor for a server now, in its words; null if it does not, or if this Node.js does not expose it.
 * It sees only this path, because it finds fewer paths than we do. Never rejects.
 */
export function secondOpinion({ path, end }: Path): Promise<string | null> {
  const anchor = path.at(-1);
  if (end !== "trusted" || anchor === undefined) return Promise.resolve(null);
  const kept = processSingleton("certificates.second-opinions", () => new Map<string, Opinion>());
  const key = path.map(({ sha256 }) => sha256).join(" ");
  const now = Date.now();
  const known = kept.get(key);
  const opinion =
    known !== undefined && now < known.until
      ? known
      : { refusal: ask(path.length === 1 ? path : path.slice(0, -1), anchor).catch(() => null), until: now + KEPT_MS };
  kept.delete(key);
  kept.set(key, opinion);
  const [oldest] = kept.keys();
  if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
  return opinion.refusal;
}

/** What OpenSSL refuses of the observed chains, each on its best path to a root of `trust`. Never rejects. */
export async function findRefusals(observations: Observations, trust: TrustStore): Promise<Refusal[]> {
  const served = observations.flatMap((each) => (each.outcome === "served" ? [each] : []));
  const refusals = await Promise.all(
    served.map(async ({ chain, observedAt }) => {
      return { chain, reason: await secondOpinion(examineChain(chain, trust, observedAt)) };
    }),
  );
  return refusals.flatMap(({ chain, reason }) => (reason === null ? [] : [{ chain, reason }]));
}
