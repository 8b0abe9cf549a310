import { existsSync } from "node:fs";
import { isIP } from "node:net";
import { join, resolve } from "node:path";
import ipaddr from "ipaddr.js";
import { z } from "zod";
import { parseNetwork } from "@/lib/networks";
import { once } from "@/lib/once";
import { type Plan, planNames } from "@/lib/plans";

/** A setting that cannot be used. The message is for the operator: whole sentences that name the variables. */
export class ConfigError extends Error {
  override name = "ConfigError";
}

/** A field whose parser throws the predicate of a sentence that begins with the variable's name: "must be …". */
function field<T>(parse: (text: string) => T) {
  return z.string().transform((text, context): T => {
    try {
      return parse(text);
    } catch (error) {
      context.addIssue({ code: "custom", message: error instanceof Error ? error.message : String(error) });
      return z.NEVER;
    }
  });
}

function integer(least: number, most: number) {
  return field((text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new Error(`must be a whole number from ${least} to ${most}, not "${text}".`);
  });
}

function url(what: string, protocols: string[], check?: (url: URL) => boolean) {
  return field((text) => {
    const parsed = URL.canParse(text) ? new URL(text) : undefined;
    // The value is not repeated: a database URL holds a password.
    if (!parsed || !protocols.includes(parsed.protocol) || check?.(parsed) === false)
      throw new Error(`must be ${what}.`);
    return text;
  });
}

const databaseUrl = url(
  "a PostgreSQL URL such as postgresql://user:password@host:5432/database",
  ["postgresql:", "postgres:"],
  ({ pathname }) => pathname.length > 1,
);

const networks = field((text) => {
  const entries = text.split(",").map((entry) => entry.trim());
  return entries.filter(Boolean).map((entry) => {
    try {
      return parseNetwork(entry);
    } catch (error) {
      throw new Error(`lists "${entry}", which ${error instanceof Error ? error.message : error}.`);
    }
  });
});

/** `192.0.2.53`, `192.0.2.53:5353`, `[2001:db8::53]:5353`. */
const nameServers = field((text) => {
  const entries = text.split(",").map((entry) => entry.trim());
  return entries.filter(Boolean).map((entry) => {
    const [, inner, v6port] = /^\[([^\]]+)\](?::(\d{1,5}))?$/.exec(entry) ?? [];
    const [, v4, v4port] = /^([\d.]+)(?::(\d{1,5}))?$/.exec(entry) ?? [];
    const port = Number(v6port ?? v4port ?? 53);
    const isAddress = inner !== undefined ? isIP(inner) === 6 : v4 !== undefined ? isIP(v4) === 4 : isIP(entry) === 6;
    if (isAddress && port >= 1 && port <= 65_535) return entry;
    throw new Error(
      `lists "${entry}", which is no address of a name server such as 192.0.2.53 or [2001:db8::53]:5353.`,
    );
  });
});

/** `team=price_1,business=price_2`: what each plan that is sold costs, by the provider's id of the price. */
const prices = field((text) => {
  const entries = text.split(",").map((entry) => entry.split("=").map((part) => part.trim()));
  const sold = planNames.filter((plan): plan is Exclude<Plan, "free"> => plan !== "free");
  const found = entries.map(([name, price]) => [sold.find((plan) => plan === name), price] as const);
  if (
    found.some(([plan, price]) => plan === undefined || !price) ||
    new Set(found.map(([p]) => p)).size < found.length
  ) {
    throw new Error(
      `must name each plan once with its price, such as team=price_1,business=price_2; plans are ${sold.join(", ")}.`,
    );
  }
  return new Map(found as [(typeof sold)[number], string][]);
});

const hostName = field((text) => {
  if (ipaddr.isValid(text) || /^(?!-)[a-z0-9-]+(\.[a-z0-9-]+)*$/i.test(text)) return text;
  throw new Error(`must be an address or a host name to listen on, not "${text}".`);
});

const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

const settings = z.object({
  /** TCP port of the web server. */
  PORT: integer(1, 65_535).default(3000),
  /** Address the web server listens on; loopback unless set. */
  HOST: hostName.default("127.0.0.1"),
  /** Folder for what the embedded defaults keep: databases, generated secrets, accounts. Relative to the checkout. */
  DATA_DIR: field((text) => resolve(text)).default(() => resolve(".data")),
  /** Where people reach Sealwatch, without a path. `http://127.0.0.1:PORT` unless set. */
  PUBLIC_URL: url("an http or https URL without a path", ["http:", "https:"], (u) => `${u.origin}/` === u.href)
    .transform((text) => new URL(text).origin)
    .optional(),
  /** The monitoring database. An embedded PostgreSQL unless both database URLs are set. */
  DATABASE_URL: databaseUrl.optional(),
  /** The audit database; never the same as the monitoring database. Its role needs to INSERT and SELECT there, no more. */
  AUDIT_DATABASE_URL: databaseUrl.optional(),
  /** The audit database for the role that owns it: migrations, the worker and commands. Web processes never have it. */
  AUDIT_MAINTENANCE_DATABASE_URL: databaseUrl.optional(),
  /** Most pooled connections of one process to each of the two databases, shared out among requests, reports, streams and the audit writer. */
  DATABASE_POOL_SIZE: integer(5, 1000).default(20),
  /** An OpenID Connect issuer. An embedded identity provider unless the three are set. */
  OIDC_ISSUER: url("an http or https URL without a query", ["http:", "https:"], (u) => !u.search && !u.hash).optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  /** Whether an address counts as verified where the issuer says nothing of it, as Entra ID does. */
  OIDC_EMAIL_VERIFIED: field((text) => {
    if (text === "required" || text === "assumed") return text;
    throw new Error(`must be required or assumed, not "${text}".`);
  }).default("required"),
  /** Hours after which a session ends, used or not. */
  SESSION_HOURS: integer(1, 720).default(12),
  /** Minutes without a request after which a session ends. */
  SESSION_IDLE_MINUTES: integer(5, 43_200).default(120),
  /** Signs session cookies; at least 32 characters. Generated in DATA_DIR unless set. */
  SESSION_SECRET: z.string().min(32, "must have at least 32 characters.").optional(),
  /** Encrypts what must be kept readable, such as channels' secrets: 32 bytes in base64. Generated in DATA_DIR unless set. */
  ENCRYPTION_KEY: field((text) => {
    const key = Buffer.from(text, "base64");
    if (key.length === 32) return key;
    throw new Error("must be 32 bytes in base64, such as `openssl rand -base64 32` makes.");
  }).optional(),
  /** The SMTP server for e-mail, and the address it comes from. None unless both are set. */
  SMTP_URL: url("an SMTP URL such as smtps://user:password@host:465", ["smtp:", "smtps:"]).optional(),
  SMTP_FROM: z.string().optional(),
  /** Peers whose `X-Forwarded-For` is believed: addresses and CIDR ranges, separated by commas. */
  TRUSTED_PROXIES: networks.default([]),
  /** Connections of one address that one web process serves at once; trusted proxies have as many as they like. */
  CONNECTIONS_PER_ADDRESS: integer(1, 10_000).default(256),
  /** Otherwise refused networks (loopback, private, link-local, …) that probes and webhooks may reach. */
  PROBE_ALLOWED_NETWORKS: networks.default([]),
  /** Name servers that discovery asks; the system's unless set. */
  DNS_SERVERS: nameServers.default([]),
  /** A search of certificate transparency logs that speaks as Cert Spotter's does, and the token for it. */
  CT_SEARCH_URL: url("an http or https URL without a query", ["http:", "https:"], (u) => !u.search && !u.hash).default(
    "https://api.certspotter.com/v1/issuances",
  ),
  CT_SEARCH_TOKEN: z.string().optional(),
  /** A public search of the same logs that speaks as crt.sh does. */
  CT_PUBLIC_SEARCH_URL: url(
    "an http or https URL without a query",
    ["http:", "https:"],
    (u) => !u.search && !u.hash,
  ).default("https://crt.sh/"),
  /** A Redis or Valkey server in which rate limits are counted; each process's own memory unless set. */
  REDIS_URL: url("a Redis URL such as redis://:password@host:6379", ["redis:", "rediss:"]).optional(),
  /** The same at Upstash, over its REST API: URL and token of the database. */
  UPSTASH_REDIS_REST_URL: url("an http or https URL", ["http:", "https:"]).optional(),
  UPSTASH_REDIS_REST_TOKEN: z.string().optional(),
  /** Web processes that share the port. More than one needs a shared store for rate limits. */
  WEB_CONCURRENCY: integer(1, 64).default(1),
  /** Seconds that requests and exports get to finish when Sealwatch is asked to stop. */
  SHUTDOWN_GRACE_SECONDS: integer(1, 3_600).default(30),
  /** Stripe's secret key, with which plans are sold. Without it the operator sets plans. */
  STRIPE_SECRET_KEY: z.string().optional(),
  /** The secret that signs Stripe's notices to `/api/v1/billing/webhook`. */
  STRIPE_WEBHOOK_SECRET: z.string().optional(),
  /** The price's id of each plan that is sold: `team=price_1,business=price_2`. */
  STRIPE_PRICES: prices.optional(),
  /** Where Stripe's API is. */
  STRIPE_API_URL: url("an http or https URL", ["http:", "https:"]).default("https://api.stripe.com"),
  /** Most seconds between two runs of a background job; each has its own interval unless this is shorter. */
  MAX_JOB_INTERVAL_SECONDS: integer(1, 3600).default(3600),
  /** Requests per key in any 60 seconds, instead of each group's limit: to measure what a limit would hide. Loopback only. */
  BENCH_RATE_LIMIT: integer(1, 100_000_000).optional(),
  /** Least severity that is logged. */
  LOG_LEVEL: field((text) => {
    const level = LOG_LEVELS.find((known) => known === text);
    if (level) return level;
    throw new Error(`must be one of ${LOG_LEVELS.join(", ")}, not "${text}".`);
  }).default("info"),
});

export type Setting = keyof typeof settings.shape;
export type Config = z.output<typeof settings> & { PUBLIC_URL: string };

const TOGETHER: Setting[][] = [
  ["DATABASE_URL", "AUDIT_DATABASE_URL"],
  ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"],
  ["UPSTASH_REDIS_REST_URL", "UPSTASH_REDIS_REST_TOKEN"],
  ["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET", "STRIPE_PRICES"],
  ["SMTP_URL", "SMTP_FROM"],
];

/** Where several processes count rate limits together, or null where each counts in its own memory. */
export function sharedStore(
  settings: Pick<Config, "REDIS_URL" | "UPSTASH_REDIS_REST_URL">,
): "redis" | "upstash" | null {
  if (settings.REDIS_URL) return "redis";
  return settings.UPSTASH_REDIS_REST_URL ? "upstash" : null;
}

function sameDatabase(a: string, b: string): boolean {
  const [one, other] = [new URL(a), new URL(b)];
  return (
    one.hostname === other.hostname &&
    (one.port || "5432") === (other.port || "5432") &&
    one.pathname === other.pathname
  );
}

/** Whether `host` can only be reached from this machine. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, "$1");
  return ipaddr.isValid(bare) ? ipaddr.process(bare).range() === "loopback" : bare.toLowerCase() === "localhost";
}

/** Settings from environment variables, empty ones counting as unset. Throws ConfigError with one sentence per fault. */
export function parseConfig(env: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(
    Object.keys(settings.shape).flatMap((name) => (env[name]?.trim() ? [[name, env[name].trim()]] : [])),
  );
  const parsed = settings.safeParse(given);
  if (!parsed.success) {
    throw new ConfigError(parsed.error.issues.map(({ path, message }) => `${path.join(".")} ${message}`).join("\n"));
  }
  const { data } = parsed;
  for (const group of TOGETHER) {
    const missing = group.filter((name) => data[name] === undefined);
    if (missing.length === 0 || missing.length === group.length) continue;
    const present = group.filter((name) => data[name] !== undefined);
    throw new ConfigError(
      `${missing.join(" and ")} must be set too, because ${present.join(" and ")} ${present.length > 1 ? "are" : "is"}: these belong together.`,
    );
  }
  if (data.AUDIT_MAINTENANCE_DATABASE_URL && !data.AUDIT_DATABASE_URL) {
    throw new ConfigError(
      "DATABASE_URL and AUDIT_DATABASE_URL must be set too, because AUDIT_MAINTENANCE_DATABASE_URL is.",
    );
  }
  for (const name of ["AUDIT_DATABASE_URL", "AUDIT_MAINTENANCE_DATABASE_URL"] as const) {
    const url = data[name];
    if (data.DATABASE_URL && url && sameDatabase(data.DATABASE_URL, url)) {
      throw new ConfigError(`${name} must name another database than DATABASE_URL: the audit data lives apart.`);
    }
  }
  if (data.REDIS_URL && data.UPSTASH_REDIS_REST_URL) {
    throw new ConfigError(
      "REDIS_URL and UPSTASH_REDIS_REST_URL are both set: rate limits are counted in one store only.",
    );
  }
  if (data.WEB_CONCURRENCY > 1 && sharedStore(data) === null) {
    throw new ConfigError(
      `WEB_CONCURRENCY ${data.WEB_CONCURRENCY} needs a store for rate limits that the web processes share, or each would admit the whole limit: set REDIS_URL, or UPSTASH_REDIS_REST_URL and UPSTASH_REDIS_REST_TOKEN.`,
    );
  }
  const localhost = isLoopback(data.HOST) ? data.HOST : "127.0.0.1";
  const host = localhost.includes(":") ? `[${localhost}]` : localhost;
  const PUBLIC_URL = data.PUBLIC_URL ?? `http://${host}:${data.PORT}`;
  if (data.BENCH_RATE_LIMIT && !(isLoopback(data.HOST) && isLoopback(new URL(PUBLIC_URL).hostname))) {
    throw new ConfigError(
      "BENCH_RATE_LIMIT lifts the rate limits to measure this machine, so it is refused where others can reach Sealwatch: HOST and PUBLIC_URL must be loopback, or it unset.",
    );
  }
  return { ...data, PUBLIC_URL };
}

const cache = once("config", (): { value?: Config } => ({}));

/**
 * This process's settings: environment variables, then `.env` in the checkout (the environment wins), read and checked
 * at the first call. Throws ConfigError.
 */
export function config(): Config {
  if (!cache.value) {
    const file = join(process.cwd(), ".env");
    try {
      if (existsSync(file)) process.loadEnvFile(file);
    } catch {
      throw new ConfigError(`${file} cannot be read.`);
    }
    cache.value = parseConfig(process.env);
  }
  return cache.value;
}

/** Sets variables for this process and those it starts, as once the embedded databases' URLs are known. Throws ConfigError. */
export function configure(values: Partial<Record<Setting, string>>): Config {
  config();
  Object.assign(process.env, values);
  cache.value = parseConfig(process.env);
  return cache.value;
}

/** A setting that this process cannot do without, although it has no default. Throws ConfigError. */
export function requireSetting<Name extends Setting>(name: Name): NonNullable<Config[Name]> {
  const value = config()[name];
  if (value === undefined || value === null)
    throw new ConfigError(`${name} must be set: this process cannot do without it.`);
  return value as NonNullable<Config[Name]>;
}
