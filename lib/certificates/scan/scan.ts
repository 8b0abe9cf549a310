import type { Socket } from "node:net";
import { beginTls } from "@/lib/certificates/probe/begin-tls";
import { dial, withDeadline } from "@/lib/certificates/probe/dial";
import { HandshakeError, handshake, type KeyType } from "@/lib/certificates/probe/handshake";
import type { Served } from "@/lib/certificates/probe/observation";
import {
  AEAD_SUITES,
  ALL_SUITES,
  FORWARD_SECRET_SUITES,
  TLS13_SUITES,
  WEAK_SUITES,
} from "@/lib/certificates/scan/cipher-suites";
import {
  type Choice,
  clientHello,
  type Offer,
  readAnswer,
  USUAL_GROUPS,
  VERSIONS,
  X25519MLKEM768,
} from "@/lib/certificates/scan/hello";
import { type TlsScan, type TlsVersion, type WeakFamily, weakFamilies } from "@/lib/certificates/scan-contract";
import type { Target } from "@/lib/certificates/targets";

/** What a server accepts, apart from its certificates. */
type Taken = Omit<TlsScan, "at" | "address" | "certificates">;

/** A scan of an address. */
export interface Scan {
  taken: Taken;
  /** One handshake per certificate, that of the check first. */
  seen: [Served, ...Served[]];
}

/** Milliseconds for a scan of usually ten connections, one after the other. */
const DEADLINE_MS = 20_000;
const CONNECT_TIMEOUT_MS = 3_000;
/** A server that does not answer a hello within this time does not accept it. */
const ANSWER_TIMEOUT_MS = 2_000;
/** Further handshakes like the check's, which may reach another server behind the same address. */
const REPETITIONS = 2;

/** A server's answer to a hello on an open connection; null if it refuses, closes or stays silent. Rejects with NotTls or the abort reason. */
function answerTo(socket: Socket, hello: Buffer, signal: AbortSignal): Promise<Choice | null> {
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0);
    const settle = (error: unknown, choice: Choice | null) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      socket
        .removeAllListeners()
        .on("error", () => {})
        .destroy();
      if (error === null) resolve(choice);
      else reject(error);
    };
    const receive = (bytes: Buffer) => {
      received = Buffer.concat([received, bytes]);
      try {
        const answer = readAnswer(received);
        if (answer !== undefined) settle(null, answer);
      } catch (error) {
        settle(error, null);
      }
    };
    const stop = () => settle(signal.reason, null);
    const refuse = () => settle(null, null);
    const timer = setTimeout(refuse, ANSWER_TIMEOUT_MS);
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) return stop();
    socket.on("data", receive).once("error", refuse).once("close", refuse).write(hello);
  });
}

/** Opens a connection to a checked address, up to where TLS begins. */
async function open(address: string, target: Target, signal: AbortSignal): Promise<Socket> {
  const socket = await dial(address, target.port, CONNECT_TIMEOUT_MS, signal);
  await beginTls(socket, target, signal);
  return socket;
}

/** Offers something, and resolves with the choice if it is of the offered version. */
type Accepts = (offer: Omit<Offer, "groups"> & { groups?: readonly number[] }) => Promise<Choice | null>;

async function takenCiphers(accepts: Accepts, version: TlsVersion, { suite }: Choice) {
  const takes = async (suites: readonly number[]) =>
    suites.includes(suite) || (await accepts({ version, suites })) !== null;
  const found: WeakFamily[] = [];
  for (;;) {
    const left = weakFamilies.filter((family) => !found.includes(family));
    const choice = await accepts({ version, suites: left.flatMap((family) => WEAK_SUITES[family]) });
    const family = left.find((each) => choice !== null && WEAK_SUITES[each].includes(choice.suite));
    if (family === undefined) break;
    found.push(family);
  }
  return {
    weak_ciphers: weakFamilies.filter((family) => found.includes(family)),
    forward_secrecy: await takes(FORWARD_SECRET_SUITES),
    authenticated_encryption: await takes(AEAD_SUITES),
  };
}

async function takenBy(accepts: Accepts): Promise<Taken> {
  const tls13 = await accepts({ version: "TLSv1.3", suites: TLS13_SUITES });
  const hybrid = await accepts({ version: "TLSv1.3", suites: TLS13_SUITES, groups: [X25519MLKEM768] });
  const older: { version: TlsVersion; choice: Choice }[] = [];
  for (const version of ["TLSv1.2", "TLSv1.1", "TLSv1", "SSLv3"] as const) {
    const choice = await accepts({ version, suites: ALL_SUITES });
    if (choice !== null) older.push({ version, choice });
  }
  const [newest] = older;
  const ciphers = newest && (await takenCiphers(accepts, newest.version, newest.choice));
  const isModern = tls13 !== null || hybrid !== null;
  return {
    protocols: [...(isModern ? ["TLSv1.3" as const] : []), ...older.map(({ version }) => version)],
    weak_ciphers: ciphers?.weak_ciphers ?? [],
    forward_secrecy: isModern || ciphers?.forward_secrecy === true,
    authenticated_encryption: isModern || ciphers?.authenticated_encryption === true,
    post_quantum: hybrid?.group === X25519MLKEM768,
  };
}

/**
 * Finds what the server of a check accepts: by ClientHellos of our own that are read as far as its answer, because this Node.js's
 * OpenSSL knows neither the old ciphers nor the new groups, and by handshakes for certificates of another key type or of another
 * server behind the address. One connection at a time. Rejects if the server cannot be reached any more or speaks no TLS: then the
 * scan says nothing.
 */
export function scan(target: Target, first: Served & { address: string }, signal?: AbortSignal): Promise<Scan> {
  const { address } = first;
  const name = target.sni ?? target.host;
  return withDeadline(DEADLINE_MS, signal, async (signal) => {
    const accepts: Accepts = async ({ groups = USUAL_GROUPS, ...offer }) => {
      const socket = await open(address, target, signal);
      const choice = await answerTo(socket, clientHello({ ...offer, groups }, name), signal);
      return choice?.version === VERSIONS[offer.version] ? choice : null;
    };
    const see = async (keyType: KeyType): Promise<Served[]> => {
      const socket = await open(address, target, signal);
      try {
        const session = await handshake(socket, { name, keyType, alpn: undefined, signal });
        const timings = { dnsMs: null, connectMs: null, tlsMs: null };
        return [{ observedAt: new Date(), addresses: [address], address, timings, ...session, outcome: "served" }];
      } catch (error) {
        // It has no such certificate.
        if (error instanceof HandshakeError) return [];
        throw error;
      }
    };
    const taken = await takenBy(accepts);
    const seen = new Map([[first.chain[0].sha256, first as Served]]);
    const otherType: KeyType = first.chain[0].keyType === "ec" ? "rsa" : "ec";
    for (const keyType of [otherType, ...Array.from({ length: REPETITIONS }, (): KeyType => "any")]) {
      for (const each of await see(keyType)) {
        if (!seen.has(each.chain[0].sha256)) seen.set(each.chain[0].sha256, each);
      }
    }
    return { taken, seen: [first, ...[...seen.values()].slice(1)] };
  });
}
