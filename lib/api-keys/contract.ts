import * as z from "zod";
import { riskLabels } from "@/lib/api-keys/labels";
import { risks } from "@/lib/api-keys/risks";
import { scopeLabels, scopes } from "@/lib/auth/scopes";
import { endpoint, id, name, offsetTime, order, pageQuery, shownOnce, time } from "@/lib/http/endpoint";
import { formatNetwork, parseNetwork } from "@/lib/networks";
import { labelList } from "@/lib/text/labels";

/** Days after which a secret is due for rotation. */
export const ROTATION_DAYS = 90;

const permission = z.enum(["admin", "read"]).describe("`read` allows GET requests only.");

const scope = z
  .enum(scopes)
  .nullable()
  .describe(
    `What the key may be used for, if for one purpose only: any other request gets 403 \`OUT_OF_SCOPE\`. Needs the permission \`admin\`; null for no such limit. ${labelList(scopeLabels)}`,
  );

const whitelistEntry = z.string().transform((text, context) => {
  try {
    return formatNetwork(parseNetwork(text.trim()));
  } catch (error) {
    context.addIssue({ code: "custom", message: error instanceof Error ? error.message : "is not a network" });
    return z.NEVER;
  }
});

export const ipWhitelist = z
  .array(whitelistEntry)
  .max(100, "must have at most 100 entries")
  .transform((entries) => [...new Set(entries)])
  .describe("Addresses and CIDR ranges from which the key may be used; empty allows any address.");

// That it is in the future is checked by the verbs: a repeated request gets its first response also when the time has passed.
const expiresAt = offsetTime("2027-01-31T00:00:00Z")
  .nullable()
  .describe(
    "Time from which the key is refused; null for no expiry. A key that expires cannot create, update or rotate keys that expire later.",
  );

export const apiKey = z
  .strictObject({
    id,
    name: z.string(),
    permission,
    scope,
    ip_whitelist: z.array(z.string()),
    expires_at: time.nullable(),
    status: z.enum(["active", "expired", "revoked"]),
    hint: z.string().describe("The secret's first and last characters."),
    created_at: time,
    created_by: z.strictObject({ type: z.enum(["api_key", "user", "system"]), id: id.nullable(), name: z.string() }),
    last_used_at: time.nullable().describe("Delayed by at most one minute."),
    last_used_ip: z.string().nullable(),
    rotated_at: time.nullable(),
    rotation_due_at: time.describe("90 days after the secret was issued."),
    rotated_secret_used_at: time.nullable().describe("Last request with a secret that a rotation had replaced."),
    revoked_at: time.nullable(),
    risks: z.array(z.enum(risks)).describe(`Risks of an active key, most urgent first. ${labelList(riskLabels)}`),
  })
  .meta({ id: "ApiKey" });

export const apiKeyWithSecret = apiKey
  .extend({ secret: shownOnce(z.string().describe("Shown only once, in this response.")) })
  .meta({ id: "ApiKeyWithSecret" });

export type ApiKey = z.output<typeof apiKey>;
export type ApiKeyWithSecret = z.output<typeof apiKeyWithSecret>;

const apiKeySorts = ["newest", "name", "last_used", "expiry"] as const;

export const listApiKeys = endpoint({
  method: "GET",
  path: "/api-keys",
  action: "api_key.list",
  summary: "The organization's API keys, newest first by default, including revoked and expired keys.",
  query: z.strictObject({
    ...pageQuery,
    sort: z
      .enum(apiKeySorts)
      .optional()
      .describe(
        "Defaults to `newest`. `name` sorts `ci-2` before `ci-10`; `last_used` starts with unused keys, then the longest unused; `expiry` starts with the earliest expiry.",
      ),
    order,
  }),
  data: apiKey,
  list: true,
});

export const createApiKey = endpoint({
  method: "POST",
  path: "/api-keys",
  action: "api_key.create",
  errors: ["PLAN_LIMIT_REACHED"],
  summary: "Creates a key and returns its secret, which is shown only once.",
  body: z.strictObject({
    name,
    permission: permission.default("read"),
    scope: scope.default(null),
    ip_whitelist: ipWhitelist.default([]),
    expires_at: expiresAt.default(null),
  }),
  data: apiKeyWithSecret,
  status: 201,
});

export const getApiKey = endpoint({
  method: "GET",
  path: "/api-keys/{id}",
  action: "api_key.get",
  summary: "One key.",
  data: apiKey,
});

export const updateApiKey = endpoint({
  method: "PUT",
  path: "/api-keys/{id}",
  action: "api_key.update",
  summary: "Changes the given fields; the others stay. Takes effect with the next request.",
  body: z.strictObject({
    name: name.optional(),
    permission: permission.optional(),
    scope: scope.optional(),
    ip_whitelist: ipWhitelist.optional(),
    expires_at: expiresAt.optional(),
  }),
  data: apiKey,
  errors: ["CONFLICT"],
});

export const revokeApiKey = endpoint({
  method: "DELETE",
  path: "/api-keys/{id}",
  action: "api_key.revoke",
  summary: "Revokes a key immediately and permanently. The record is kept. Revoking a revoked key has no effect.",
  data: apiKey,
});

export const rotateApiKey = endpoint({
  method: "POST",
  path: "/api-keys/{id}/rotate",
  action: "api_key.rotate",
  summary: "Replaces the secret immediately, without overlap, and returns the new secret, which is shown only once.",
  data: apiKeyWithSecret,
  errors: ["CONFLICT"],
});
