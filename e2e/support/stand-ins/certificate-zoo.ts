import { DAY_MS } from "@/lib/time/units";
import "reflect-metadata";
import { createServer as createHttpServer } from "node:http";
import type { AddressInfo, Server as TcpServer } from "node:net";
import { createServer as createTcpServer, type Socket } from "node:net";
import { createServer as createTlsServer, type TlsOptions } from "node:tls";
import {
  AuthorityInfoAccessExtension,
  BasicConstraintsExtension,
  CRLDistributionPointsExtension,
  ExtendedKeyUsageExtension,
  Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  type X509Certificate,
  X509CertificateGenerator,
  X509CrlGenerator,
  type X509CrlReason,
} from "@peculiar/x509";
import { lastingPort } from "@/e2e/support/servers/lasting-port";

type KeyKind = "P-256" | "RSA-1024" | "RSA-2048";
type Digest = "SHA-1" | "SHA-256" | "SHA-384";

/** A generated certificate with its key. */
export interface Made {
  name: string;
  keys: CryptoKeyPair;
  certificate: X509Certificate;
  pem: string;
  der: Buffer;
  keyPem: string;
}

export interface Wish {
  /** The common name. */
  name: string;
  /** The issuer; by default the certificate is self-signed. */
  issuer?: Made;
  /** Null for no extension that says whether it is one. */
  ca?: boolean | null;
  /** Subject alternative names, which may be addresses. If unset, the extension is missing. */
  sans?: string[];
  /** Days from now; negative for the past. */
  fromDays?: number;
  untilDays?: number;
  key?: KeyKind;
  digest?: Digest;
  /** The address of the issuer's certificate. */
  issuerUrl?: string;
  /** The addresses of revocation lists. */
  crlUrls?: string[];
  /** The address of the OCSP responder. */
  ocspUrl?: string;
  /** The serial number in hexadecimal; by default a random one. */
  serial?: string;
  /** Of a CA: the most intermediates below it. */
  pathLength?: number;
  /** By default what its role needs; null for no such extension. */
  keyUsages?: KeyUsageFlags | null;
  /** Extended key usages, as OIDs. */
  purposes?: string[];
  /** Further extensions, with their value in hexadecimal. */
  extensions?: { oid: string; critical?: boolean; hex: string }[];
  /** The key of a previous certificate to reuse. */
  keysOf?: Made;
}

function algorithmOf(kind: KeyKind, digest: Digest) {
  if (kind === "P-256") return { name: "ECDSA", namedCurve: "P-256", hash: digest };
  const modulusLength = kind === "RSA-1024" ? 1024 : 2048;
  return { name: "RSASSA-PKCS1-v1_5", hash: digest, modulusLength, publicExponent: new Uint8Array([1, 0, 1]) };
}

function toPem(label: string, der: ArrayBuffer): string {
  const lines = Buffer.from(der)
    .toString("base64")
    .replace(/.{64}(?=.)/g, "$&\n");
  return `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`;
}

function extensionsOf({ ca = false, sans, issuerUrl, crlUrls, ocspUrl, ...wish }: Wish): Extension[] {
  const usual = ca ? KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign : KeyUsageFlags.digitalSignature;
  const usage = wish.keyUsages === undefined ? usual : wish.keyUsages;
  const names = sans?.map((value) => ({ type: /^[\d.]+$|:/.test(value) ? ("ip" as const) : ("dns" as const), value }));
  return [
    ...(ca === null ? [] : [new BasicConstraintsExtension(ca, wish.pathLength, true)]),
    ...(usage === null ? [] : [new KeyUsagesExtension(usage, true)]),
    ...(wish.purposes ? [new ExtendedKeyUsageExtension(wish.purposes)] : []),
    ...(wish.extensions ?? []).map(
      ({ oid, critical = false, hex }) => new Extension(oid, critical, Buffer.from(hex, "hex")),
    ),
    ...(names ? [new SubjectAlternativeNameExtension(names)] : []),
    ...(issuerUrl || ocspUrl
      ? [
          new AuthorityInfoAccessExtension({
            ...(issuerUrl && { caIssuers: issuerUrl }),
            ...(ocspUrl && { ocsp: ocspUrl }),
          }),
        ]
      : []),
    ...(crlUrls ? [new CRLDistributionPointsExtension(crlUrls)] : []),
  ];
}

/** Generates a key and a certificate; by default 90 days from yesterday, P-256 and SHA-256. */
export async function make(wish: Wish): Promise<Made> {
  const { name, issuer, key = "P-256", digest = "SHA-256", fromDays = -1, untilDays = 89 } = wish;
  const algorithm = algorithmOf(key, digest);
  const keys = wish.keysOf?.keys ?? (await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]));
  const signer = issuer?.keys.privateKey ?? keys.privateKey;
  const certificate = await X509CertificateGenerator.create({
    serialNumber: wish.serial ?? Buffer.from(crypto.getRandomValues(new Uint8Array(8))).toString("hex"),
    subject: `CN=${name}`,
    issuer: issuer?.certificate.subject ?? `CN=${name}`,
    notBefore: new Date(Date.now() + fromDays * DAY_MS),
    notAfter: new Date(Date.now() + untilDays * DAY_MS),
    publicKey: keys.publicKey,
    signingKey: signer,
    signingAlgorithm: { name: signer.algorithm.name, hash: digest },
    extensions: extensionsOf(wish),
  });
  return {
    name,
    keys,
    certificate,
    pem: `${certificate.toString("pem")}\n`,
    der: Buffer.from(certificate.rawData),
    keyPem: toPem("PRIVATE KEY", await crypto.subtle.exportKey("pkcs8", keys.privateKey)),
  };
}

/** A root, its intermediate (with the options of `wish`), and leaves that the intermediate issues. */
export interface Authority {
  root: Made;
  intermediate: Made;
  leaf: (wish?: Partial<Wish>) => Promise<Made>;
}

export async function makeAuthority(name: string, wish: Partial<Wish> = {}): Promise<Authority> {
  const root = await make({ name: `${name} Root`, ca: true, untilDays: 3650 });
  const intermediate = await make({ name: `${name} Intermediate`, ca: true, issuer: root, untilDays: 1825, ...wish });
  return {
    root,
    intermediate,
    leaf: (wish) => make({ name: "good.test", sans: ["good.test"], issuer: intermediate, ...wish }),
  };
}

/** Generates a revocation list (CRL), in DER. */
export async function makeCrl({
  issuer,
  revoked = [],
  fromHours = -1,
  untilHours = 24,
  extensions = [],
}: {
  issuer: Made;
  revoked?: { made: Made; reason?: X509CrlReason; at?: Date }[];
  /** Hours from now; negative for the past. */
  fromHours?: number;
  untilHours?: number | null;
  /** Critical extensions: OID and value in hexadecimal. */
  extensions?: [oid: string, hex: string][];
}): Promise<Buffer> {
  const crl = await X509CrlGenerator.create({
    issuer: issuer.certificate.subject,
    thisUpdate: new Date(Date.now() + fromHours * 3_600_000),
    ...(untilHours !== null && { nextUpdate: new Date(Date.now() + untilHours * 3_600_000) }),
    entries: revoked.map(({ made, reason, at = new Date() }) => ({
      serialNumber: made.certificate.serialNumber,
      revocationDate: at,
      ...(reason !== undefined && { reason }),
    })),
    extensions: extensions.map(([oid, hex]) => new Extension(oid, true, Buffer.from(hex, "hex"))),
    signingAlgorithm: { name: "ECDSA", hash: "SHA-256" },
    signingKey: issuer.keys.privateKey,
  });
  return Buffer.from(crl.rawData);
}

/** A file server's response for a path: a body, or a complete response. */
export type FileAnswer = Buffer | { status: number; headers?: Record<string, string>; body?: Buffer } | "silence";

/** Starts a file server on loopback, whose files may change; `asked` has the requested paths. */
export async function serveFiles(): Promise<
  Animal & { files: Map<string, FileAnswer>; asked: string[]; url: (path: string) => string }
> {
  const files = new Map<string, FileAnswer>();
  const asked: string[] = [];
  const server = createHttpServer((request, response) => {
    asked.push(request.url ?? "");
    const file = files.get(request.url ?? "") ?? { status: 404 };
    if (file === "silence") return;
    const { status, headers, body } = Buffer.isBuffer(file) ? { status: 200, body: file, headers: {} } : file;
    response.writeHead(status, headers).end(body);
  });
  const animal = await keep(server, server);
  return Object.assign(animal, { files, asked, url: (path: string) => `http://127.0.0.1:${animal.port}${path}` });
}

/** A server on loopback with the number of its open connections. */
export interface Animal {
  port: number;
  open: () => number;
  close: () => Promise<void>;
}

function keep(server: TcpServer, sockets: TcpServer, address = "127.0.0.1"): Promise<Animal> {
  const open = new Set<Socket>();
  sockets.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => open.delete(socket));
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, address, () =>
      resolve({
        port: (server.address() as AddressInfo).port,
        open: () => open.size,
        close: () =>
          new Promise((closed) => {
            server.close(() => closed());
            for (const socket of open) socket.destroy();
          }),
      }),
    );
  });
}

/**
 * Starts a TLS server that serves `chain` unchanged, with the key of the first certificate and the stapled OCSP response, if any.
 * `0.0.0.0` means all of 127.0.0.0/8.
 */
export function serveTls(
  chain: Made[],
  options: TlsOptions = {},
  address = "127.0.0.1",
  staple?: Buffer,
): Promise<Animal> {
  const cert = chain.map(({ pem }) => pem).join("");
  const server = createTlsServer({ key: chain[0]?.keyPem, cert, ...options }, (socket) => socket.on("error", () => {}));
  server.on("tlsClientError", () => {});
  if (staple !== undefined) server.on("OCSPRequest", (_certificate, _issuer, answer) => answer(null, staple));
  return keep(server, server, address);
}

/** Starts a TCP server that calls `greet` for each connection. `0.0.0.0` means all of 127.0.0.0/8. */
export function serveTcp(greet: (socket: Socket) => void, address = "127.0.0.1"): Promise<Animal> {
  const server = createTcpServer((socket) => {
    greet(socket);
    // Without reading, the socket would not notice that the peer has closed it.
    socket.resume();
  });
  return keep(server, server, address);
}

/** A port on loopback without a listener, another one at each call. */
export async function closedPort(): Promise<number> {
  const port = await lastingPort();
  if (given.has(port)) return closedPort();
  given.add(port);
  return port;
}
const given = new Set<number>();
