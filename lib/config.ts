import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import ipaddr from "ipaddr.js";
import type { z } from "zod";
import { processSingleton } from "@/lib/process-singleton";
import { type Setting, settings } from "@/lib/settings";

/** An invalid or missing setting. The message is for the operator: complete sentences that name the variables. */
export class ConfigError extends Error {
  override name = "ConfigError";
}

export type Config = z.output<typeof settings> & { PUBLIC_URL: string };

const REQUIRED_TOGETHER: Setting[][] = [
  ["DATABASE_URL", "AUDIT_DATABASE_URL"],
  ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"],
  ["OIDC_GROUPS_CLAIM", "OIDC_GROUPS_ORGANIZATION"],
  ["UPSTASH_REDIS_REST_URL", "UPSTASH_REDIS_REST_TOKEN"],
  ["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET", "STRIPE_PRICES"],
  ["SMTP_URL", "SMTP_FROM"],
  ["WITNESS_KEY", "WITNESS_LOGS"],
];

/** The store that several processes share to count rate limits; null if each counts in its own memory. */
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

/** Whether `host` is reachable only from this machine. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, "$1");
  return ipaddr.isValid(bare) ? ipaddr.process(bare).range() === "loopback" : bare.toLowerCase() === "localhost";
}

/** What contradicts what, one sentence each. `given` has the names of all settings, `data` the values of the valid ones. */
function contradictions(given: ReadonlySet<string>, data: z.output<typeof settings>): string[] {
  const found: string[] = [];
  for (const group of REQUIRED_TOGETHER) {
    const missing = group.filter((name) => !given.has(name));
    if (missing.length === 0 || missing.length === group.length) continue;
    const present = group.filter((name) => given.has(name));
    found.push(
      `${missing.join(" and ")} must be set too, because ${present.join(" and ")} ${present.length > 1 ? "are" : "is"} set.`,
    );
  }
  const hasGroups = given.has("OIDC_ADMIN_GROUPS") || given.has("OIDC_READ_GROUPS");
  if (given.has("OIDC_GROUPS_CLAIM") !== hasGroups) {
    found.push(
      hasGroups
        ? "OIDC_GROUPS_CLAIM must be set too, because OIDC_ADMIN_GROUPS or OIDC_READ_GROUPS is set."
        : "OIDC_ADMIN_GROUPS or OIDC_READ_GROUPS must be set too, because OIDC_GROUPS_CLAIM is set.",
    );
  }
  if (given.has("ENCRYPTION_KEY_OTHER") && !given.has("ENCRYPTION_KEY")) {
    found.push("ENCRYPTION_KEY must be set too, because ENCRYPTION_KEY_OTHER is set.");
  }
  if (given.has("AUDIT_SEAL_KEY_BEFORE") && !given.has("AUDIT_SEAL_KEY")) {
    found.push("AUDIT_SEAL_KEY must be set too, because AUDIT_SEAL_KEY_BEFORE is set.");
  }
  if (data.WITNESS_KEY && data.AUDIT_SEAL_KEY?.equals(data.WITNESS_KEY)) {
    found.push("WITNESS_KEY must not be AUDIT_SEAL_KEY: web processes have it, and it signs for other logs.");
  }
  if (given.has("AUDIT_MAINTENANCE_DATABASE_URL") && !given.has("AUDIT_DATABASE_URL") && !given.has("DATABASE_URL")) {
    found.push("DATABASE_URL and AUDIT_DATABASE_URL must be set too, because AUDIT_MAINTENANCE_DATABASE_URL is set.");
  }
  for (const name of ["AUDIT_DATABASE_URL", "AUDIT_MAINTENANCE_DATABASE_URL"] as const) {
    const url = data[name];
    if (data.DATABASE_URL && url && sameDatabase(data.DATABASE_URL, url)) {
      found.push(`${name} must name a different database than DATABASE_URL: audit data is stored separately.`);
    }
  }
  if (given.has("REDIS_URL") && given.has("UPSTASH_REDIS_REST_URL")) {
    found.push("REDIS_URL and UPSTASH_REDIS_REST_URL are both set: set only one store for rate limits.");
  }
  if (data.WEB_CONCURRENCY > 1 && !given.has("REDIS_URL") && !given.has("UPSTASH_REDIS_REST_URL")) {
    found.push(
      `WEB_CONCURRENCY ${data.WEB_CONCURRENCY} needs a shared store for rate limits, otherwise each web process would allow the whole limit. Set REDIS_URL, or UPSTASH_REDIS_REST_URL and UPSTASH_REDIS_REST_TOKEN.`,
    );
  }
  if (data.METRICS_PORT === data.PORT) {
    found.push("METRICS_PORT must not be PORT: metrics are not for the clients of the web server.");
  }
  return found;
}

/** Parses settings as `parseConfig`. Invalid ones count as unset; `problems` has one sentence per error. */
function inspectConfig(env: Record<string, string | undefined>): { valid: Config; problems: string[] } {
  const given = Object.fromEntries(
    Object.keys(settings.shape).flatMap((name) => (env[name]?.trim() ? [[name, env[name].trim()]] : [])),
  );
  const issues = settings.safeParse(given).error?.issues ?? [];
  const invalid = new Set(issues.map(({ path }) => String(path[0])));
  const data = settings.parse(Object.fromEntries(Object.entries(given).filter(([name]) => !invalid.has(name))));
  const localhost = isLoopback(data.HOST) ? data.HOST.replace(/%.*$/, "") : "127.0.0.1";
  const host = localhost.includes(":") ? `[${localhost}]` : localhost;
  return {
    valid: { ...data, PUBLIC_URL: data.PUBLIC_URL ?? new URL(`http://${host}:${data.PORT}`).origin },
    problems: [
      ...issues.map(({ path, message }) => `${path.join(".")} ${message}`),
      ...contradictions(new Set(Object.keys(given)), data),
    ],
  };
}

/** Parses settings from environment variables; empty values count as unset. Throws ConfigError with one sentence per error. */
export function parseConfig(env: Record<string, string | undefined>): Config {
  const { valid, problems } = inspectConfig(env);
  if (problems.length > 0) throw new ConfigError(problems.join("\n"));
  return valid;
}

const cache = processSingleton("config", (): { value?: Config; isTolerant?: boolean } => ({}));

/** Adds the variables of `.env` to the environment, which wins. Throws ConfigError. */
function loadFile(): void {
  const file = join(process.cwd(), ".env");
  try {
    if (existsSync(file)) process.loadEnvFile(file);
  } catch {
    throw new ConfigError(`${file} cannot be read.`);
  }
}

/**
 * This process's settings: environment variables, then `.env` in the checkout (the environment wins), read and validated
 * on the first call. Throws ConfigError.
 */
export function config(): Config {
  if (!cache.value) {
    loadFile();
    cache.value = parseConfig(process.env);
  }
  return cache.value;
}

/** Makes `config()` return the valid settings, with the defaults of the others. Returns one sentence per error. For `doctor`. */
export function tolerateInvalidSettings(): string[] {
  const unreadable: string[] = [];
  try {
    loadFile();
  } catch (error) {
    unreadable.push((error as Error).message);
  }
  const { valid, problems } = inspectConfig(process.env);
  cache.value = valid;
  cache.isTolerant = true;
  return [...unreadable, ...problems];
}

/** Sets variables for this process and its children, such as the embedded databases' URLs once they are known. Throws ConfigError. */
export function configure(values: Partial<Record<Setting, string>>): Config {
  config();
  Object.assign(process.env, values);
  cache.value = cache.isTolerant ? inspectConfig(process.env).valid : parseConfig(process.env);
  return cache.value;
}

/** The folders in which the machine looks for programs. */
export function searchPath(): string[] {
  return (process.env.PATH ?? "").split(delimiter);
}

/** A setting that has no default but is required by this process. Throws ConfigError. */
export function requireSetting<Name extends Setting>(name: Name): NonNullable<Config[Name]> {
  const value = config()[name];
  if (value === undefined || value === null) throw new ConfigError(`${name} must be set: this process requires it.`);
  return value as NonNullable<Config[Name]>;
}
