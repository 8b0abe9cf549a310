import { isIP } from "node:net";
import { resolve } from "node:path";
import ipaddr from "ipaddr.js";
import * as z from "zod";
import { parseNetwork } from "@/lib/networks";
import { type Plan, planNames } from "@/lib/plans";
import { readRootsFile } from "@/lib/roots/roots-file";
import { hasReadableCredentials } from "@/lib/text/percent-encoding";
import { EMAIL_ADDRESS } from "@/lib/text/shapes/email-address";

/** A field whose parser throws the predicate of a sentence that starts with the variable's name: "must be …". */
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
    // The message omits the value: a database URL contains a password.
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

const key32 = field((text) => {
  const key = Buffer.from(text, "base64");
  if (key.length === 32) return key;
  throw new Error("must be 32 bytes in base64, for example from `openssl rand -base64 32`.");
});

/** A list, each entry of which `parse` converts or rejects by throwing. Spaces around entries and empty entries are ignored. */
function list<T>(parse: (entry: string) => T, separator = ",") {
  return field((text) => {
    const entries = text.split(separator).map((entry) => entry.trim());
    return entries.filter(Boolean).map((entry) => parse(entry));
  });
}

const networks = list((entry) => {
  try {
    return parseNetwork(entry);
  } catch (error) {
    throw new Error(`lists "${entry}", which ${error instanceof Error ? error.message : error}.`);
  }
});

/** Verifier keys of logs (C2SP signed-note), whose ids are checked where they are used. */
const verifierKeys = list((entry) => {
  if (/^[^\s+]+\+[0-9a-f]{8}\+A[A-Za-z0-9+/]{43}$/.test(entry)) return entry;
  throw new Error(`lists "${entry}", which is not the verifier key of a log.`);
});

/** `Example CA=https://acme.example.com/directory; Other CA=`: a URL by name of an issuer; null for no URL. */
const acmeDirectories = list((entry): [string, string | null] => {
  const [, name = "", address = ""] = /^(.*?)=([^=]*(?:\?.*)?)$/.exec(entry) ?? [];
  const isUrl = URL.canParse(address.trim()) && /^https?:$/.test(new URL(address.trim()).protocol);
  if (name.trim() !== "" && (address.trim() === "" || isUrl)) return [name.trim(), address.trim() || null];
  throw new Error(`lists "${entry}", which is not a name and an http or https URL such as Example CA=https://…`);
}, ";");

/** `192.0.2.53`, `192.0.2.53:5353`, `[2001:db8::53]:5353`. */
const nameServers = list((entry) => {
  const [, inner, v6port] = /^\[([^\]]+)\](?::(\d{1,5}))?$/.exec(entry) ?? [];
  const [, v4, v4port] = /^([\d.]+)(?::(\d{1,5}))?$/.exec(entry) ?? [];
  const port = Number(v6port ?? v4port ?? 53);
  const isAddress = inner !== undefined ? isIP(inner) === 6 : v4 !== undefined ? isIP(v4) === 4 : isIP(entry) === 6;
  if (isAddress && port >= 1 && port <= 65_535) return entry;
  throw new Error(
    `lists "${entry}", which is not the address of a name server such as 192.0.2.53 or [2001:db8::53]:5353.`,
  );
});

/** `team=price_1,business=price_2`: the payment provider's price id of each plan for sale. */
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

/** E-mail addresses, compared in lower case. */
const addresses = list((entry) => {
  if (EMAIL_ADDRESS.test(entry)) return entry.toLowerCase();
  throw new Error(`lists "${entry}", which is not an e-mail address.`);
});

/** Values of a claim, such as the names of groups. */
const values = list((entry) => entry);

const OTLP_PROTOCOLS = ["http/protobuf", "http/json"] as const;
const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

/**
 * Every setting, in the order of the documentation, which is generated from it. `unset` describes the behavior without the setting
 * if the default is not a text.
 */
export const settings = z.object({
  PORT: integer(1, 65_535).prefault("3000").meta({ description: "TCP port of the web server." }),
  HOST: hostName.prefault("127.0.0.1").meta({
    description:
      "Address that the web server listens on. Any address other than loopback requires an OpenID Connect issuer.",
  }),
  METRICS_PORT: integer(1, 65_535).optional().meta({
    description:
      "TCP port of the [metrics](operations/monitoring.md) of all processes, which must not be `PORT`. It needs no credential, so keep it private.",
    unset: "none",
    example: "9464",
  }),
  METRICS_HOST: hostName.prefault("127.0.0.1").meta({ description: "Address that the metrics are served on." }),
  OTEL_EXPORTER_OTLP_ENDPOINT: url("an http or https URL", ["http:", "https:"]).optional().meta({
    description:
      "The OpenTelemetry collector to which [traces](operations/monitoring.md#tracing) are exported (OTLP over HTTP).",
    unset: "none",
    example: "http://127.0.0.1:4318",
  }),
  OTEL_EXPORTER_OTLP_PROTOCOL: field((text) => {
    const protocol = OTLP_PROTOCOLS.find((known) => known === text);
    if (protocol) return protocol;
    throw new Error(`must be one of ${OTLP_PROTOCOLS.join(", ")}, not "${text}".`);
  })
    .prefault("http/protobuf")
    .meta({
      description: "Encoding of exported traces: `http/protobuf` or `http/json`. `grpc` is not supported.",
    }),
  DATA_DIR: field((text) => resolve(text))
    .prefault(".data")
    .meta({
      description: "Folder for the embedded databases, generated secrets and accounts. Relative to the checkout.",
    }),
  PUBLIC_URL: url("an http or https URL without a path", ["http:", "https:"], (u) => `${u.origin}/` === u.href)
    .transform((text) => new URL(text).origin)
    .optional()
    .meta({
      description: "Public URL of Sealwatch, without a path. The default uses `PORT`, and `HOST` if that is loopback.",
      default: "http://127.0.0.1:3000",
      example: "https://sealwatch.example.com",
    }),
  DATABASE_URL: databaseUrl.optional().meta({
    description:
      "The monitoring database (PostgreSQL 15 or newer): organizations, people, keys, outbox. Requires `AUDIT_DATABASE_URL`.",
    unset: "embedded",
    example: "postgresql://user:password@host:5432/sealwatch",
  }),
  AUDIT_DATABASE_URL: databaseUrl.optional().meta({
    description: "The audit database. Must differ from the monitoring database.",
    unset: "embedded",
    example: "postgresql://user:password@host:5432/sealwatch_audit",
  }),
  AUDIT_MAINTENANCE_DATABASE_URL: databaseUrl.optional().meta({
    description:
      "The audit database with the role that owns it, see [roles](operations/production.md#roles-of-the-audit-database). Not passed on to web processes.",
    unset: "`AUDIT_DATABASE_URL`",
    example: "postgresql://owner:password@host:5432/sealwatch_audit",
  }),
  DATABASE_POOL_SIZE: integer(5, 1000).prefault("20").meta({
    description:
      "Maximum pooled connections per process to each of the two databases, shared by requests, reports, streams and the audit writer: 5 to 1000.",
  }),
  OIDC_ISSUER: url("an http or https URL without a query", ["http:", "https:"], (u) => !u.search && !u.hash)
    .optional()
    .meta({
      description: "URL of an OpenID Connect issuer. Requires `OIDC_CLIENT_ID` and `OIDC_CLIENT_SECRET`.",
      unset: "embedded",
      example: "https://id.example.com",
    }),
  OIDC_CLIENT_ID: z
    .string()
    .optional()
    .meta({ description: "Sealwatch's client id at the issuer.", unset: "embedded", example: "sealwatch" }),
  OIDC_CLIENT_SECRET: z
    .string()
    .optional()
    .meta({ description: "Sealwatch's client secret at the issuer.", unset: "embedded" }),
  OIDC_EMAIL_VERIFIED: field((text) => {
    if (text === "required" || text === "assumed") return text;
    throw new Error(`must be required or assumed, not "${text}".`);
  })
    .prefault("required")
    .meta({
      description:
        "With `assumed`, an e-mail address counts as verified if the issuer omits `email_verified`, as Entra ID does.",
    }),
  OIDC_GROUPS_CLAIM: z.string().max(200, "must have at most 200 characters.").optional().meta({
    description:
      "The claim of the ID token with a person's [groups](operations/production.md#groups-of-the-identity-provider), a text or a list of texts. At each sign-in they decide on membership and permission in one organization. Requires `OIDC_GROUPS_ORGANIZATION`, and `OIDC_ADMIN_GROUPS` or `OIDC_READ_GROUPS`.",
    unset: "none",
    example: "groups",
  }),
  OIDC_GROUPS_ORGANIZATION: z.uuid("must be the id of an organization.").optional().meta({
    description:
      "The id of that organization, as `org list` shows it. Not its slug: anybody may create an organization with a slug that is free.",
    unset: "none",
    example: "01a1fcff-5cd2-755f-bf9c-f5a4e5e70691",
  }),
  OIDC_ADMIN_GROUPS: values.default([]).meta({
    description: "Values of that claim that make a person an admin, separated by commas.",
    unset: "none",
    example: "sealwatch-admins",
  }),
  OIDC_READ_GROUPS: values.default([]).meta({
    description: "Values of that claim that let a person read, separated by commas.",
    unset: "none",
    example: "engineering,security",
  }),
  OPERATORS: addresses.default([]).meta({
    description:
      "E-mail addresses of the people who may see the [operator's page](operations/monitoring.md#the-operators-page), separated by commas. The issuer must say with `email_verified` that the address is verified, whatever `OIDC_EMAIL_VERIFIED` is.",
    unset: "none",
    example: "ops@example.com",
  }),
  SESSION_HOURS: integer(1, 720)
    .prefault("12")
    .meta({ description: "Maximum lifetime of a session in hours, even if it is in use: 1 to 720." }),
  SESSION_IDLE_MINUTES: integer(5, 43_200).prefault("120").meta({
    description:
      "Minutes without a request after which a session ends: 5 to 43200. Pages that refresh automatically keep it open.",
  }),
  SESSION_SECRET: z.string().min(32, "must have at least 32 characters.").optional().meta({
    description: "Secret that signs session cookies: at least 32 characters, the same on all machines.",
    unset: "generated in `DATA_DIR`",
  }),
  ENCRYPTION_KEY: key32.optional().meta({
    description:
      "Key that encrypts the secrets of notification channels, destinations and monitors in the database (AES-256-GCM): 32 bytes in base64, for example from `openssl rand -base64 32`.",
    unset: "generated in `DATA_DIR`",
  }),
  ENCRYPTION_KEY_OTHER: key32.optional().meta({
    description:
      "While `ENCRYPTION_KEY` is being [changed](operations/backup-and-restore.md#changing-the-key-of-secrets): a second key that is accepted, but does not encrypt. Requires `ENCRYPTION_KEY`.",
    unset: "none",
  }),
  AUDIT_SEAL_KEY: key32.optional().meta({
    description:
      "Key that signs the checkpoints of the sealed audit log (Ed25519), used by the worker only: 32 bytes in base64, the same on all machines. Keep a copy outside of the databases' backups.",
    unset: "generated in `DATA_DIR`",
  }),
  AUDIT_SEAL_KEY_BEFORE: key32.optional().meta({
    description:
      "While `AUDIT_SEAL_KEY` is being changed: the key that it replaces, until `npm run cli -- audit key` says that no log needs it. Requires `AUDIT_SEAL_KEY`.",
    unset: "none",
  }),
  AUDIT_TIMESTAMP_URL: url("an http or https URL", ["http:", "https:"]).optional().meta({
    description:
      "The authority that stamps the time of the sealed audit log's checkpoint once a day (RFC 3161), see [time stamps](concepts/sealed-log.md#time-stamps).",
    unset: "none",
    example: "https://timestamp.example.com/tsr",
  }),
  WITNESS_KEY: key32.optional().meta({
    description:
      "Key with which this installation witnesses the logs of others (Ed25519): 32 bytes in base64, not that of `AUDIT_SEAL_KEY`. Requires `WITNESS_LOGS`.",
    unset: "none",
  }),
  WITNESS_LOGS: verifierKeys.optional().meta({
    description:
      "Verifier keys of the logs that this installation [witnesses](concepts/sealed-log.md#being-a-witness), separated by commas.",
    unset: "none",
  }),
  SMTP_URL: url(
    "an SMTP URL such as smtps://user:password@host:465, with a % in the user or the password written as %25",
    ["smtp:", "smtps:"],
    hasReadableCredentials,
  )
    .optional()
    .meta({
      description:
        "The SMTP server for e-mail, `smtp://` (with STARTTLS if offered) or `smtps://`. Requires `SMTP_FROM`.",
      unset: "none",
      example: "smtps://user:password@mail.example.com:465",
    }),
  SMTP_FROM: z.string().optional().meta({
    description: "Sender address of e-mail.",
    unset: "none",
    example: "Sealwatch <sealwatch@example.com>",
  }),
  TRUSTED_PROXIES: networks.default([]).meta({
    description: "Proxies whose `X-Forwarded-For` header is trusted: addresses and CIDR ranges, separated by commas.",
    unset: "none",
    example: "10.0.0.0/8",
  }),
  CONNECTIONS_PER_ADDRESS: integer(1, 10_000).prefault("256").meta({
    description: "Maximum concurrent connections per client address and web process. Trusted proxies have no limit.",
  }),
  PROBE_ALLOWED_NETWORKS: networks.default([]).meta({
    description:
      "Networks that checks and notifications may reach although they are blocked by default (loopback, private, link-local, shared, metadata, multicast, reserved).",
    unset: "none",
    example: "10.20.0.0/16",
  }),
  PUBLIC_ROOTS_FILE: field(readRootsFile).optional().meta({
    description:
      "A file in PEM, or Mozilla's `certdata.txt` with its dates of distrust, whose roots replace the public ones against which endpoints are judged and which monitors trust, read at the start.",
    unset: "Mozilla's, as this Node.js includes them",
    example: "/etc/ssl/certs/ca-certificates.crt",
  }),
  ACME_DIRECTORIES: acmeDirectories.default([]).meta({
    description:
      "ACME directories to ask for renewal windows, by a name of the issuer (organization, common name or whole name), separated by semicolons, in addition to the [known ones](concepts/certificates.md#renewal-windows). An issuer without a URL is not asked.",
    unset: "none",
    example: "Example CA=https://acme.example.com/directory; Let's Encrypt=",
  }),
  DNS_SERVERS: nameServers.default([]).meta({
    description:
      "Name servers for subdomain discovery, CAA records and DNS monitors, separated by commas, such as `192.0.2.53` or `[2001:db8::53]:5353`.",
    unset: "the system's",
    example: "192.0.2.53,[2001:db8::53]:5353",
  }),
  CT_SEARCH_URL: url("an http or https URL without a query", ["http:", "https:"], (u) => !u.search && !u.hash)
    .prefault("https://api.certspotter.com/v1/issuances")
    .meta({ description: "URL of a search in certificate transparency logs with the API of Cert Spotter." }),
  CT_SEARCH_TOKEN: z
    .string()
    .optional()
    .meta({ description: "Token for `CT_SEARCH_URL`; without a token, its rate limits are low.", unset: "none" }),
  CT_PUBLIC_SEARCH_URL: url("an http or https URL without a query", ["http:", "https:"], (u) => !u.search && !u.hash)
    .prefault("https://crt.sh/")
    .meta({ description: "URL of a second, best-effort search in the same logs with the API of crt.sh." }),
  REDIS_URL: url("a Redis URL such as redis://:password@host:6379", ["redis:", "rediss:"]).optional().meta({
    description:
      "The Redis or Valkey server that counts rate limits, `redis://` or `rediss://`. Without a store, the single web process counts in memory.",
    unset: "none",
    example: "redis://:password@host:6379",
  }),
  UPSTASH_REDIS_REST_URL: url("an http or https URL", ["http:", "https:"]).optional().meta({
    description:
      "The Upstash Redis REST API that counts rate limits. Requires `UPSTASH_REDIS_REST_TOKEN`; cannot be combined with `REDIS_URL`.",
    unset: "none",
    example: "https://name.upstash.io",
  }),
  UPSTASH_REDIS_REST_TOKEN: z
    .string()
    .optional()
    .meta({ description: "Token for `UPSTASH_REDIS_REST_URL`.", unset: "none" }),
  WEB_CONCURRENCY: integer(1, 64).prefault("1").meta({
    description:
      "Number of web processes that share the port: 1 to 64. More than 1 requires `REDIS_URL` or `UPSTASH_REDIS_REST_URL`.",
  }),
  SHUTDOWN_GRACE_SECONDS: integer(1, 3_600)
    .prefault("30")
    .meta({ description: "Seconds that requests and exports may take to finish when Sealwatch stops: 1 to 3600." }),
  STRIPE_SECRET_KEY: z.string().optional().meta({
    description:
      "Stripe's secret key, for selling plans. Requires `STRIPE_WEBHOOK_SECRET` and `STRIPE_PRICES`. Without Stripe, the operator sets plans.",
    unset: "none",
    example: "sk_live_…",
  }),
  STRIPE_WEBHOOK_SECRET: z.string().optional().meta({
    description: "The secret that signs Stripe's webhooks to `/api/v1/billing/webhook`.",
    unset: "none",
    example: "whsec_…",
  }),
  STRIPE_PRICES: prices.optional().meta({
    description: "The price id of each plan for sale: `team=price_1,business=price_2`.",
    unset: "none",
    example: "team=price_1,business=price_2",
  }),
  STRIPE_API_URL: url("an http or https URL", ["http:", "https:"])
    .prefault("https://api.stripe.com")
    .meta({ description: "URL of Stripe's API." }),
  MAX_JOB_INTERVAL_SECONDS: integer(1, 3600).prefault("3600").meta({
    description:
      "Maximum seconds between two runs of a background job: 1 to 3600. The jobs' own intervals are between one second and one hour. Lower it to see a day's results within minutes.",
  }),
  LOG_LEVEL: field((text) => {
    const level = LOG_LEVELS.find((known) => known === text);
    if (level) return level;
    throw new Error(`must be one of ${LOG_LEVELS.join(", ")}, not "${text}".`);
  })
    .prefault("info")
    .meta({
      description: "Minimum severity to log: `trace`, `debug`, `info`, `warn`, `error`, `fatal`, `silent`.",
    }),
});

export type Setting = keyof typeof settings.shape;
