import { randomBytes } from "node:crypto";
import { type Api, withKey } from "@/e2e/support/api";
import { query } from "@/e2e/support/servers/databases";
import type { Sealwatch } from "@/e2e/support/servers/sealwatch";
import { createApiKey } from "@/lib/api-keys/create";
import { withAuditEvent } from "@/lib/audit-logs/write/commit-event";
import type { Scope } from "@/lib/auth/scopes";
import { configure } from "@/lib/config";
import { connectAsJob } from "@/lib/db/purposes";
import { systemPrincipal } from "@/lib/http/principal";
import { createOrganizationAsOperator } from "@/lib/organizations/create";

interface KeyOptions {
  name?: string;
  permission?: "admin" | "read";
  scope?: Scope | null;
  ip?: string[];
  /** May be in the past, for expired keys; endpoints do not accept that. */
  expiresAt?: Date;
}

export interface Key {
  id: string;
  secret: string;
  hint: string;
  api: Api;
}

export interface Organization {
  /** The server that has it. */
  server: Sealwatch;
  id: string;
  slug: string;
  /** Callers with a key of either permission. */
  admin: Api;
  read: Api;
  adminKey: Key;
  readKey: Key;
  newKey: (options?: KeyOptions) => Promise<Key>;
}

let bound: Sealwatch | undefined;

/** Lets the verbs of this test process use the server's databases. A test file can bind only one server. */
export function bind(server: Sealwatch): void {
  if (bound?.dataDir === server.dataDir) return;
  if (bound !== undefined) throw new Error("the verbs of this process already work on another server's databases");
  bound = server;
  const settings = Object.entries(server.plain.env);
  configure({ ...server.urls, ...Object.fromEntries(settings.filter(([name]) => name.startsWith("STRIPE_"))) });
  // Like the worker and commands, so that tests can run jobs too.
  connectAsJob();
}

/** Creates an organization with an `admin` and a `read` key, with the verbs of the operator's commands. */
export async function newOrganization(server: Sealwatch): Promise<Organization> {
  bind(server);
  const name = `Test ${randomBytes(6).toString("hex")}`;
  const { id, slug } = await withAuditEvent({ action: "organization.create" }, () =>
    createOrganizationAsOperator(name),
  );
  const newKey = async ({ name = "Key", permission = "read", scope = null, ip = [], expiresAt }: KeyOptions = {}) => {
    const principal = systemPrincipal(id);
    const input = { name, permission, scope, ip_whitelist: ip, expires_at: null };
    const made = await withAuditEvent({ action: "api_key.create", principal }, () => createApiKey(principal, input));
    if (expiresAt !== undefined) {
      await query(server, "app", "UPDATE api_keys SET expires_at = $2 WHERE id = $1", [made.id, expiresAt]);
    }
    return { id: made.id, secret: made.secret, hint: made.hint, api: withKey(server, made.secret) };
  };
  const adminKey = await newKey({ name: "Admin", permission: "admin" });
  const readKey = await newKey({ name: "Read" });
  return { server, id, slug, admin: adminKey.api, read: readKey.api, adminKey, readKey, newKey };
}

/** Like `newOrganization`, without the default alert rules, so that a test has only its own. */
export async function newOrganizationWithoutRules(server: Sealwatch): Promise<Organization> {
  const owner = await newOrganization(server);
  await query(server, "app", "DELETE FROM alert_rules WHERE organization_id = $1", [owner.id]);
  return owner;
}
