import { describe, expect, test } from "vitest";
import { isLoopback, parseConfig } from "@/lib/config";

const databases = {
  DATABASE_URL: "postgresql://user:hunter2@db.example:5432/sealwatch",
  AUDIT_DATABASE_URL: "postgresql://user:hunter2@db.example:5432/sealwatch_audit",
};

const KEY = Buffer.alloc(32, 7).toString("base64");
const LOG = `log.example+00112233+${Buffer.alloc(33, 1).toString("base64")}`;

describe("settings", () => {
  test("have defaults that work on one machine", () => {
    expect(parseConfig({})).toMatchObject({
      PORT: 3000,
      HOST: "127.0.0.1",
      PUBLIC_URL: "http://127.0.0.1:3000",
      TRUSTED_PROXIES: [],
      LOG_LEVEL: "info",
    });
  });

  test("are unset when empty or blank", () => {
    expect(parseConfig({ PORT: "", OIDC_ISSUER: "  ", LOG_LEVEL: " debug " })).toMatchObject({
      PORT: 3000,
      LOG_LEVEL: "debug",
    });
  });

  test("build the public URL with port and brackets, without a trailing slash", () => {
    expect(parseConfig({ PORT: "3100", HOST: "::1" }).PUBLIC_URL).toBe("http://[::1]:3100");
    expect(parseConfig({ HOST: "0.0.0.0" }).PUBLIC_URL).toBe("http://127.0.0.1:3000");
    // As browsers and the sign-in write it: lower case, and without the port of the scheme.
    expect(parseConfig({ PORT: "80" }).PUBLIC_URL).toBe("http://127.0.0.1");
    expect(parseConfig({ PORT: "80", HOST: "::1" }).PUBLIC_URL).toBe("http://[::1]");
    expect(parseConfig({ HOST: "::1%lo" }).PUBLIC_URL).toBe("http://[::1]:3000");
    expect(parseConfig({ HOST: "LOCALHOST" }).PUBLIC_URL).toBe("http://localhost:3000");
    expect(parseConfig({ PUBLIC_URL: "https://Seal.example/" }).PUBLIC_URL).toBe("https://seal.example");
  });

  test.each([
    [{ PORT: "abc" }, 'PORT must be a whole number from 1 to 65535, not "abc".'],
    [{ PORT: "0" }, "PORT must be"],
    [{ PORT: "9464", METRICS_PORT: "9464" }, "METRICS_PORT must not be PORT"],
    [{ PORT: "65536" }, "PORT must be"],
    [{ PORT: "3000.5" }, "PORT must be"],
    [{ HOST: "not a host" }, "HOST must be"],
    [{ LOG_LEVEL: "loud" }, "LOG_LEVEL must be one of"],
    [{ SESSION_SECRET: "short" }, "SESSION_SECRET must have at least 32 characters."],
    [{ WITNESS_KEY: "hunter2" }, "WITNESS_KEY must be 32 bytes in base64"],
    [{ AUDIT_SEAL_KEY_BEFORE: KEY }, "AUDIT_SEAL_KEY must be set too"],
    [{ WITNESS_KEY: KEY, WITNESS_LOGS: LOG, AUDIT_SEAL_KEY: KEY }, "WITNESS_KEY must not be AUDIT_SEAL_KEY"],
    [{ PUBLIC_URL: "https://seal.example/app" }, "PUBLIC_URL must be"],
    [{ PUBLIC_URL: "seal.example" }, "PUBLIC_URL must be"],
    [
      { TRUSTED_PROXIES: "10.0.0.1/8" },
      'TRUSTED_PROXIES lists "10.0.0.1/8", which has bits set after its prefix: use 10.0.0.0/8 instead.',
    ],
    [{ PROBE_ALLOWED_NETWORKS: "10.0.0.0/8, inside" }, 'PROBE_ALLOWED_NETWORKS lists "inside"'],
    [
      { OIDC_ISSUER: "https://id.example" },
      "OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must be set too, because OIDC_ISSUER is",
    ],
    [{ DATABASE_URL: databases.DATABASE_URL }, "AUDIT_DATABASE_URL must be set too"],
    [{ ...databases, AUDIT_DATABASE_URL: databases.DATABASE_URL }, "AUDIT_DATABASE_URL must name a different database"],
    [
      { AUDIT_MAINTENANCE_DATABASE_URL: databases.AUDIT_DATABASE_URL },
      "DATABASE_URL and AUDIT_DATABASE_URL must be set too, because AUDIT_MAINTENANCE_DATABASE_URL is set.",
    ],
    [
      { ...databases, AUDIT_MAINTENANCE_DATABASE_URL: databases.DATABASE_URL.replace("user", "owner") },
      "AUDIT_MAINTENANCE_DATABASE_URL must name a different database than DATABASE_URL",
    ],
    [{ REDIS_URL: "http://:hunter2@cache" }, "REDIS_URL must be a Redis URL"],
    [
      { UPSTASH_REDIS_REST_URL: "https://a.upstash.io" },
      "UPSTASH_REDIS_REST_TOKEN must be set too, because UPSTASH_REDIS_REST_URL is",
    ],
    [
      {
        REDIS_URL: "redis://cache",
        UPSTASH_REDIS_REST_URL: "https://a.upstash.io",
        UPSTASH_REDIS_REST_TOKEN: "hunter2",
      },
      "REDIS_URL and UPSTASH_REDIS_REST_URL are both set",
    ],
    [{ ENCRYPTION_KEY_OTHER: KEY }, "ENCRYPTION_KEY must be set too"],
    [{ OPERATORS: "ops@example.com, ops" }, 'OPERATORS lists "ops", which is not an e-mail address.'],
    [{ OIDC_GROUPS_CLAIM: "groups" }, "OIDC_GROUPS_ORGANIZATION must be set too"],
    [
      { OIDC_GROUPS_CLAIM: "groups", OIDC_GROUPS_ORGANIZATION: "acme", OIDC_READ_GROUPS: "all" },
      "OIDC_GROUPS_ORGANIZATION must be the id of an organization",
    ],
    [
      { OIDC_GROUPS_CLAIM: "groups", OIDC_GROUPS_ORGANIZATION: "01a1fcff-5cd2-755f-bf9c-f5a4e5e70691" },
      "OIDC_ADMIN_GROUPS or OIDC_READ_GROUPS must be set too",
    ],
    [{ OIDC_READ_GROUPS: "all" }, "OIDC_GROUPS_CLAIM must be set too"],
    [{ WEB_CONCURRENCY: "0" }, "WEB_CONCURRENCY must be a whole number from 1 to 64"],
    [{ WEB_CONCURRENCY: "3" }, "WEB_CONCURRENCY 3 needs a shared store for rate limits"],
    [{ ...databases, DATABASE_URL: "mysql://root:hunter2@db/x" }, "DATABASE_URL must be a PostgreSQL URL"],
  ])("refuse %j and name the variable", (env, sentence) => {
    expect(() => parseConfig(env)).toThrow(sentence);
    expect(() => parseConfig(env)).not.toThrow("hunter2");
  });

  test("report all errors together", () => {
    expect(() => parseConfig({ PORT: "x", LOG_LEVEL: "y" })).toThrow(/^PORT .*\nLOG_LEVEL .*$/);
    expect(() => parseConfig({ PORT: "x", SMTP_URL: "smtp://a.example", OIDC_READ_GROUPS: "all" })).toThrow(
      /^PORT .*\nSMTP_FROM .*\nOIDC_GROUPS_CLAIM .*$/,
    );
  });

  test("recognize hosts that only this machine can reach", () => {
    expect(["127.0.0.1", "127.8.8.8", "::1", "[::1]", "localhost", "::ffff:127.0.0.1"].filter(isLoopback)).toHaveLength(
      6,
    );
    expect(["0.0.0.0", "::", "192.0.2.1", "seal.example"].filter(isLoopback)).toEqual([]);
  });
});
