import { type Config, config } from "@/lib/config";
import type { Setting } from "@/lib/settings";
import { Refusal } from "@/server/web/refusal";

/** What a start runs: everything, or one part of an installation that runs on several machines. */
export type Part = "all" | "web" | "worker" | "migrations";

/** The argument of each part. */
export const partArguments: Readonly<Record<string, Exclude<Part, "all">>> = {
  "--web-only": "web",
  "--worker-only": "worker",
  "--migrate-only": "migrations",
};

/** What a part needs that a start of everything would embed or generate, which several machines cannot share. */
const required: Readonly<Record<Part, readonly Setting[]>> = {
  all: [],
  web: ["DATABASE_URL", "AUDIT_DATABASE_URL", "OIDC_ISSUER", "SESSION_SECRET", "ENCRYPTION_KEY"],
  worker: ["DATABASE_URL", "AUDIT_DATABASE_URL", "ENCRYPTION_KEY", "AUDIT_SEAL_KEY"],
  migrations: ["DATABASE_URL", "AUDIT_DATABASE_URL"],
};

/** Throws Refusal with the settings that the part lacks. */
export function requireSettingsOf(part: Part, settings: Config = config()): void {
  const missing = required[part].filter((name) => settings[name] === undefined);
  if (missing.length === 0) return;
  const [argument] = Object.entries(partArguments).find(([, of]) => of === part) ?? [];
  const also = missing.length > 1 ? `${missing.slice(0, -1).join(", ")} and ${missing.at(-1)}` : missing[0];
  throw new Refusal(`${argument} requires ${also}: the parts of one installation must have the same.`);
}
