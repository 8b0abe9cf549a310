import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import type { Configuration, JWK, Provider } from "oidc-provider";
import * as z from "zod";
import { log } from "@/lib/log";
import { escapeHtml } from "@/lib/text/escape-html";
import { IDENTITY_PROVIDER_FILE, readOrCreate, type Secrets } from "@/server/data-dir";
import { Accounts } from "@/server/embedded/accounts";
import { loginPage, PRESS, page, pagesPolicy } from "@/server/embedded/login-page";
import { MemoryAdapter, sweepMemory } from "@/server/embedded/memory-adapter";
import { recordRefusedPassword } from "@/server/embedded/refused-password";
import { freePort } from "@/server/port";
import { Refusal } from "@/server/web/refusal";
import { securityHeaders } from "@/server/web/security-headers";

const CLIENT_ID = "sealwatch";
const FORM_BYTES = 16 * 1024;
const SWEEP_MS = 10 * 60_000;
/** Below the ports that operating systems use for outgoing connections, so that the remembered port stays free. */
const PORT_RANGE = { first: 20_000, count: 10_000 };

export type IdentityProvider = {
  issuer: string;
  clientId: string;
  /** For the start-up message. The password is present only while it is still the generated one. */
  owner: { email: string; password?: string };
  stop: () => Promise<void>;
};

/** The issuer's URL is part of every person's identity, so its port is chosen once and kept. */
async function rememberedPort(dataDir: string): Promise<number> {
  const wanted = PORT_RANGE.first + Math.floor(Math.random() * PORT_RANGE.count);
  const free = await freePort(wanted);
  const text = readOrCreate(dataDir, IDENTITY_PROVIDER_FILE, () => `${JSON.stringify({ port: free })}\n`);
  const parsed = z.object({ port: z.int().min(1).max(65_535) }).safeParse(JSON.parse(text));
  if (parsed.success) return parsed.data.port;
  throw new Refusal(`${join(dataDir, IDENTITY_PROVIDER_FILE)} must hold {"port": number}.`);
}

function configure(secrets: Secrets, publicUrl: string, accounts: Accounts): Configuration {
  return {
    adapter: MemoryAdapter,
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: secrets.oidc_client_secret,
        redirect_uris: [`${publicUrl}/api/auth/callback/oidc`],
        post_logout_redirect_uris: [publicUrl, `${publicUrl}/`, `${publicUrl}/sign-in`],
        grant_types: ["authorization_code"],
        response_types: ["code"],
      },
    ],
    jwks: { keys: [secrets.oidc_signing_key as JWK] },
    cookies: {
      keys: secrets.oidc_cookie_keys,
      // Cookies ignore ports, and the dashboard is on the same host: the names must differ from its names.
      names: { session: "sealwatch-idp", interaction: "sealwatch-idp-sign-in", resume: "sealwatch-idp-resume" },
    },
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      IdToken: 600,
      Interaction: 3600,
      Session: 8 * 3600,
      Grant: 8 * 3600,
    },
    interactions: { url: (_context, interaction) => `/sign-in/${interaction.uid}` },
    findAccount: (_context, id) => {
      const account = accounts.find(id);
      if (!account) return undefined;
      return {
        accountId: id,
        claims: () => ({ sub: id, email: account.email, email_verified: true, name: account.name }),
      };
    },
    // The only client is Sealwatch, so people are not asked for consent.
    loadExistingGrant: async ({ oidc }) => {
      const accountId = oidc.session?.accountId;
      if (!accountId || !oidc.client) return undefined;
      const grant = new oidc.provider.Grant({ accountId, clientId: oidc.client.clientId });
      grant.addOIDCScope("openid email profile");
      await grant.save();
      return grant;
    },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (context, form) => {
          context.body = page(
            "Sign out",
            `<p>You are being signed out.</p>${form.replace("</form>", '<button name="logout" value="yes" autofocus>Sign out</button></form>')}
<script>${PRESS}</script>`,
          );
        },
        postLogoutSuccessSource: (context) => {
          context.body = page("Signed out", `<p><a href="${escapeHtml(publicUrl)}">Back to Sealwatch</a></p>`);
        },
      },
    },
    renderError: (context, { error, error_description }) => {
      context.type = "html";
      context.body = page(
        "Sign-in failed",
        `<p>${escapeHtml(String(error_description ?? error))}</p><p><a href="${escapeHtml(publicUrl)}">Back to Sealwatch</a></p>`,
      );
    },
  };
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > FORM_BYTES) throw new Error("the form is too large");
    chunks.push(chunk);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString("utf8"));
}

/** Serves the sign-in form of a pending authorization request, and handles its submission. */
async function serveSignIn(provider: Provider, accounts: Accounts, request: IncomingMessage, response: ServerResponse) {
  const show = (status: number, html: string) =>
    response.writeHead(status, { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" }).end(html);
  const details = await provider.interactionDetails(request, response).catch(() => undefined);
  if (!details) return show(400, page("Sign-in expired", "<p>Go back to Sealwatch and start again.</p>"));
  const action = `/sign-in/${details.uid}`;
  if (request.method !== "POST") return show(200, loginPage(action, String(details.params.login_hint ?? "")));
  const form = await readForm(request);
  const email = form.get("email") ?? "";
  const outcome = await accounts.signIn(email, form.get("password") ?? "");
  if (outcome && "id" in outcome) {
    return provider.interactionFinished(request, response, { login: { accountId: outcome.id } });
  }
  await recordRefusedPassword(email, request.socket.remoteAddress ?? null, outcome !== undefined);
  log.warn({ throttled: outcome !== undefined }, "a sign-in at the embedded identity provider was refused");
  const problem = outcome
    ? `Too many wrong passwords. Try again in ${outcome.waitSeconds} s.`
    : "Email or password is wrong.";
  return show(outcome ? 429 : 401, loginPage(action, email, problem));
}

async function load(): Promise<typeof Provider> {
  // It prints a warning on Node.js 20, which it works with and we test with. Operators cannot act on it.
  const { warn } = console;
  console.warn = () => {};
  try {
    return (await import("oidc-provider")).Provider;
  } finally {
    console.warn = warn;
  }
}

/** Serves sign-in on loopback for this installation's accounts. Throws Refusal if its port is in use. */
export async function startIdentityProvider(
  dataDir: string,
  secrets: Secrets,
  publicUrl: string,
): Promise<IdentityProvider> {
  const accounts = await Accounts.open(dataDir, secrets.initial_password);
  const port = await rememberedPort(dataDir);
  const host = `127.0.0.1:${port}`;
  const provider = new (await load())(`http://${host}`, configure(secrets, publicUrl, accounts));
  provider.on("server_error", (_context, error) => log.error({ err: error }, "the embedded identity provider failed"));
  const serve = provider.callback();
  const onEveryAnswer = Object.entries(securityHeaders(false, pagesPolicy(publicUrl)));
  const server = createServer((request, response) => {
    for (const [name, value] of onEveryAnswer) response.setHeader(name, value);
    // Refuses other host names for this address (DNS rebinding).
    if (request.headers.host !== host) return void response.writeHead(421).end();
    if (!request.url?.startsWith("/sign-in/")) return void serve(request, response);
    serveSignIn(provider, accounts, request, response).catch((error: unknown) => {
      log.error({ err: error }, "the embedded identity provider failed");
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(port, "127.0.0.1", resolve);
  }).catch((error: NodeJS.ErrnoException) => {
    const kept = join(dataDir, IDENTITY_PROVIDER_FILE);
    throw new Refusal(
      `The embedded identity provider cannot listen on port ${port} (${error.code}). Free the port. It is part of every person's identity: with another one in ${kept}, everybody's sign-in is refused.`,
    );
  });
  const sweep = setInterval(sweepMemory, SWEEP_MS).unref();
  const first = await accounts.firstWith(secrets.initial_password);
  return {
    issuer: `http://${host}`,
    clientId: CLIENT_ID,
    owner: {
      email: first?.email ?? "an account of accounts.json",
      ...(first?.hasPassword && { password: secrets.initial_password }),
    },
    stop: async () => {
      clearInterval(sweep);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
