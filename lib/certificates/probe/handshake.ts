import { constants } from "node:crypto";
import type { Socket } from "node:net";
import {
  type ConnectionOptions,
  connect,
  createSecureContext,
  type SecureContext,
  type TLSSocket,
  type TLSSocketOptions,
} from "node:tls";
import { MAX_CHAIN } from "@/lib/certificates/targets";
import { type Certificate, MalformedCertificate, parseTogether } from "@/lib/certificates/x509/x509";
import { serverNameOf } from "@/lib/network/names/server-name-of";

/** The result of a completed handshake. */
export interface Session {
  protocol: string;
  cipher: string;
  /** In the order it was served; the leaf first. */
  chain: [Certificate, ...Certificate[]];
  /** The stapled OCSP response in DER; null for none. */
  staple: Uint8Array | null;
}

/** The peer accepted the connection, but the handshake failed. */
export class HandshakeError extends Error {
  constructor(
    /** A stable code: `not_tls`, `alert`, `connection_reset`, `connection_closed`, `timeout`, … */
    readonly reason: string,
    readonly detail: string | null,
  ) {
    super(reason);
  }
}

/**
 * Accepts outdated protocols and ciphers, because weaknesses are to be reported, and has no roots, because the handshake verifies
 * nothing. Shared by all connections: creating it costs as much as many handshakes. TLS 1.3 requires named cipher suites.
 */
function makeContext(ciphers: string, sigalgs?: string): SecureContext {
  return createSecureContext({
    ca: [],
    minVersion: "TLSv1",
    ciphers: `TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256:${ciphers}:!aNULL:!eNULL:@SECLEVEL=0`,
    ...(sigalgs !== undefined && { sigalgs }),
    secureOptions: constants.SSL_OP_LEGACY_SERVER_CONNECT,
  });
}

/** The certificate to ask for: any, or one with a key of this type. */
export type KeyType = "any" | "rsa" | "ec";

const RSA_SIGNATURES = ["rsa_pss_rsae", "rsa_pss_pss"].flatMap((each) =>
  ["sha256", "sha384", "sha512"].map((digest) => `${each}_${digest}`),
);
const contexts: Record<KeyType, SecureContext> = {
  any: makeContext("ALL"),
  rsa: makeContext("aRSA", [...RSA_SIGNATURES, "RSA+SHA256", "RSA+SHA384", "RSA+SHA512", "RSA+SHA1"].join(":")),
  ec: makeContext("aECDSA", "ECDSA+SHA256:ECDSA+SHA384:ECDSA+SHA512:ECDSA+SHA1"),
};

const NOT_TLS = /WRONG_VERSION_NUMBER|HTTP_REQUEST|PACKET_LENGTH_TOO_LONG|BAD_RECORD_TYPE|UNEXPECTED_MESSAGE/;

function toHandshakeError(error: unknown): unknown {
  const { code = "", reason } = error as { code?: string; reason?: string };
  if (code === "ECONNRESET") {
    const closed = error instanceof Error && error.message.startsWith("Client network socket disconnected");
    return new HandshakeError(closed ? "connection_closed" : "connection_reset", null);
  }
  if (code === "EPIPE") return new HandshakeError("connection_reset", null);
  if (!code.startsWith("ERR_SSL") && code !== "EPROTO") return error;
  const detail = reason ?? null;
  if (code.includes("ALERT")) return new HandshakeError("alert", detail);
  if (NOT_TLS.test(code)) return new HandshakeError("not_tls", detail);
  if (code.includes("EXCESSIVE_MESSAGE_SIZE")) return new HandshakeError("chain_too_large", detail);
  return new HandshakeError("protocol_error", detail);
}

/** Null if no certificate has arrived. Each issuer link can be followed only once and leads to the next served certificate. */
function readSession(socket: TLSSocket, staple: Uint8Array | null): Session | null {
  const ders: Buffer[] = [];
  let certificate = socket.getPeerX509Certificate();
  while (certificate !== undefined && ders.length < MAX_CHAIN) {
    ders.push(certificate.raw);
    certificate = certificate.issuerCertificate;
  }
  const [leaf, ...issuers] = parseTogether(ders);
  if (leaf === undefined) return null;
  const [protocol, cipher] = [socket.getProtocol() ?? "unknown", socket.getCipher().name];
  return { protocol, cipher, chain: [leaf, ...issuers], staple };
}

/** Options of a handshake. */
interface Manner {
  /** Sent as SNI unless it is an address. */
  name: string;
  /** Protocols to offer (ALPN). */
  alpn: string[] | undefined;
  keyType?: KeyType;
  signal: AbortSignal;
}

/**
 * Performs a TLS handshake on an open connection and then closes the connection in any case. Rejects with a HandshakeError or
 * the signal's reason.
 */
export function handshake(connection: Socket, { name, alpn, keyType = "any", signal }: Manner): Promise<Session> {
  return new Promise((resolve, reject) => {
    const options: ConnectionOptions & Pick<TLSSocketOptions, "requestOCSP"> = {
      socket: connection,
      secureContext: contexts[keyType],
      rejectUnauthorized: false,
      checkServerIdentity: () => undefined,
      requestOCSP: true,
      ...serverNameOf(name),
      ...(alpn !== undefined && { ALPNProtocols: alpn }),
    };
    const socket = connect(options);
    let staple: Uint8Array | null = null;
    socket.once("OCSPResponse", (response: Buffer | null) => {
      staple = response;
    });
    const settle = (error: unknown, session: Session | null) => {
      signal.removeEventListener("abort", stop);
      for (const each of [socket, connection]) each.removeAllListeners("error").on("error", () => {});
      if (session === null) {
        socket.destroy();
        connection.destroy();
        return reject(error);
      }
      // Sends close_notify, so that servers do not log "unexpected end of file".
      socket.destroySoon();
      resolve(session);
    };
    const read = (otherwise: unknown) => {
      try {
        settle(otherwise, readSession(socket, staple));
      } catch (error) {
        settle(
          error instanceof MalformedCertificate ? new HandshakeError("malformed_certificate", error.message) : error,
          null,
        );
      }
    };
    const stop = () => settle(signal.reason, null);
    const fail = (error: unknown) => {
      const cause = toHandshakeError(error);
      // Rejected for lack of a client certificate (TLS 1.2 and earlier): the server's certificate has been seen by then.
      if (cause instanceof HandshakeError && cause.reason === "alert") return read(cause);
      settle(cause, null);
    };
    socket.once("secureConnect", () => read(new HandshakeError("no_certificate", null)));
    socket.once("error", fail);
    connection.once("error", fail);
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
  });
}
