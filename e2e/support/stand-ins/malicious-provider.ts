import { createHmac, createPublicKey, createSign, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { lastingPort } from "@/e2e/support/servers/lasting-port";
import { newRsaKey } from "@/server/embedded/new-rsa-key";

type Claims = Record<string, unknown>;
type Answer = { status?: number; body: unknown } | "stall" | "begin and stall";

/** How the provider misbehaves. Without any of these fields it is honest. */
export interface Misbehavior {
  discovery?: (document: Claims) => Answer;
  /** Parameters of its redirect, instead of or in addition to the code. */
  back?: Record<string, string>;
  token?: (tokens: Claims) => Answer;
  jwks?: Answer;
  claims?: (claims: Claims) => Claims;
  /** Signs with an unpublished key, with the client secret, or not at all. */
  signature?: "unknown key" | "shared secret" | "none";
}

const published = newRsaKey();
const unknown = newRsaKey();
const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

/**
 * An OpenID Connect provider on loopback that signs everybody in as `person` without asking, and misbehaves on demand.
 */
export class MaliciousProvider {
  static readonly clientId = "sealwatch";
  static readonly clientSecret = "a secret that both sides know";
  misbehavior: Misbehavior = {};
  person: Claims = {};
  /** Ids of the issued tokens, newest last. */
  readonly tokens: string[] = [];
  readonly #codes = new Map<string, { nonce: string; claims: Claims }>();
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  #port = 0;
  /** How many requests it has left without a complete response. */
  stalled = 0;

  /** Listens on a random port at first, and on the same port later. */
  async up(): Promise<void> {
    this.#port ||= await lastingPort();
    await new Promise<void>((resolve) => this.#server.listen(this.#port, "127.0.0.1", resolve));
  }

  async down(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  get issuer(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** The claims of a new person. */
  static newPerson() {
    const sub = randomUUID();
    return { sub, email: `${sub}@example.test`, email_verified: true, name: `Person ${sub}` };
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "/", this.issuer);
    const { discovery, token, jwks } = this.misbehavior;
    if (pathname === "/.well-known/openid-configuration") {
      return this.#send(response, discovery?.(this.#discovery()) ?? { body: this.#discovery() });
    }
    if (pathname === "/jwks") return this.#send(response, jwks ?? { body: { keys: [publicKey()] } });
    if (pathname === "/authorize") return this.#authorize(searchParams, response);
    if (pathname !== "/token") return this.#send(response, { status: 404, body: {} });
    const form = new URLSearchParams(await read(request));
    const granted = this.#codes.get(form.get("code") ?? "");
    if (!granted) return this.#send(response, { status: 400, body: { error: "invalid_grant" } });
    this.#codes.delete(form.get("code") ?? "");
    const id_token = this.#sign(granted.claims, granted.nonce);
    this.tokens.push(id_token);
    const tokens = { access_token: randomUUID(), token_type: "Bearer", expires_in: 600, id_token };
    this.#send(response, token?.(tokens) ?? { body: tokens });
  }

  #send(response: ServerResponse, answer: Answer): void {
    if (typeof answer === "string") this.stalled++;
    if (answer === "stall") return;
    response.writeHead(answer === "begin and stall" ? 200 : (answer.status ?? 200), {
      "content-type": "application/json",
    });
    if (answer === "begin and stall") return void response.write("{");
    response.end(typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body));
  }

  #discovery(): Claims {
    return {
      issuer: this.issuer,
      authorization_endpoint: `${this.issuer}/authorize`,
      token_endpoint: `${this.issuer}/token`,
      jwks_uri: `${this.issuer}/jwks`,
      end_session_endpoint: `${this.issuer}/end-session?tenant=1`,
      response_types_supported: ["code"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["RS256"],
    };
  }

  #authorize(asked: URLSearchParams, response: ServerResponse): void {
    const code = randomUUID();
    this.#codes.set(code, { nonce: asked.get("nonce") ?? "", claims: this.person });
    const back = new URL(asked.get("redirect_uri") ?? "");
    const { error } = this.misbehavior.back ?? {};
    const answer = { ...(error === undefined && { code }), state: asked.get("state") ?? "", ...this.misbehavior.back };
    for (const [name, value] of Object.entries(answer)) back.searchParams.set(name, value);
    response.writeHead(302, { location: back.href }).end();
  }

  #sign(person: Claims, nonce: string): string {
    const now = Math.floor(Date.now() / 1000);
    const honest = { iss: this.issuer, aud: MaliciousProvider.clientId, iat: now, exp: now + 600, nonce, ...person };
    const claims = this.misbehavior.claims?.(honest) ?? honest;
    const { signature } = this.misbehavior;
    const alg = signature === "none" ? "none" : signature === "shared secret" ? "HS256" : "RS256";
    const signed = `${base64url({ alg, kid: "one", typ: "JWT" })}.${base64url(claims)}`;
    if (signature === "none") return `${signed}.`;
    if (signature === "shared secret") {
      return `${signed}.${createHmac("sha256", MaliciousProvider.clientSecret).update(signed).digest("base64url")}`;
    }
    const privateKey = signature === "unknown key" ? unknown : published;
    return `${signed}.${createSign("RSA-SHA256").update(signed).sign(privateKey, "base64url")}`;
  }
}

function publicKey() {
  return { ...createPublicKey(published).export({ format: "jwk" }), kid: "one", use: "sig", alg: "RS256" };
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}
