import type { z } from "zod";
import type { Destination as Row } from "@/lib/db/generated/app/client";
import { type DestinationType, shapeOf } from "@/lib/destinations/shapes";
import { type Issue, invalidFields } from "@/lib/http/errors";
import { issuesOf } from "@/lib/http/input";
import { openStoredSecrets, type StoredSecrets } from "@/lib/notification-channels/stored-secrets";

type DestinationKey = Pick<Row, "organizationId" | "id">;

/** The context in which the secrets are sealed: they open nowhere else. */
export const sealContextOf = ({ organizationId, id }: DestinationKey) => `destination:${organizationId}:${id}`;

/** A destination's secrets. Throws if they were sealed with another ENCRYPTION_KEY. */
export function openSecrets(row: DestinationKey & Pick<Row, "secrets">): StoredSecrets {
  return openStoredSecrets(row.secrets, sealContextOf(row));
}

export interface Values {
  settings: Record<string, unknown>;
  secrets: Record<string, unknown>;
}

/** Validates settings and secrets of a type. Throws 400 naming each as `settings.…` or `secrets.…`. */
export function parseValues(type: DestinationType, { settings, secrets }: Values): Values {
  const shape = shapeOf(type);
  const issues: Issue[] = [];
  const parse = (part: "settings" | "secrets", given: unknown) => {
    const parsed = (shape[part] as z.ZodType<Record<string, unknown>>).safeParse(given);
    if (parsed.success) return parsed.data;
    for (const { path, message } of issuesOf(parsed.error))
      issues.push({ path: path ? `${part}.${path}` : part, message });
    return {};
  };
  const values = { settings: parse("settings", settings), secrets: parse("secrets", secrets) };
  refuse(issues);
  return values;
}

/** Secrets must not move to another origin, which requires them again. Throws 400 naming each secret. */
export function refuseSecretsAtNewOrigin(
  type: DestinationType,
  before: Values,
  after: Values,
  given: Values["secrets"],
) {
  const { addresses } = shapeOf(type);
  const moved = addresses.find((name) => originOf(before.settings[name]) !== originOf(after.settings[name]));
  if (moved === undefined) return;
  const kept = Object.entries(before.secrets).filter(([name, value]) => value !== null && given[name] === undefined);
  const message = `must be given again because settings.${moved} has another origin`;
  refuse(kept.map(([name]) => ({ path: `secrets.${name}`, message })));
}

/** Of a URL its origin; any other value, such as a host and a port, as a whole. */
function originOf(value: unknown): unknown {
  return typeof value === "string" && /^\w+:\/\//.test(value) && URL.canParse(value) ? new URL(value).origin : value;
}

function refuse(issues: Issue[]): void {
  if (issues.length > 0) throw invalidFields(issues);
}
