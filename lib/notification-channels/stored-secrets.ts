import { onlyOrigin, Secret } from "@/lib/audit-logs/write/changes";
import { seal, unseal } from "@/lib/encryption";
import { ApiError, invalidFields } from "@/lib/http/errors";

/** How long a replaced signing secret keeps signing beside the new one. */
const OVERLAP_MS = 24 * 3_600_000;

/** The encrypted part of a channel or a destination. */
export interface StoredSecrets {
  fields: Record<string, unknown>;
  /** The secrets that sign what it sends, newest first; the older one with the time (Unix milliseconds) until which it signs. */
  signing: { secret: string; until: number | null }[];
}

/** Decrypts the column of a row. Throws if it was sealed with another ENCRYPTION_KEY, or in another context. */
export function openStoredSecrets(sealed: Uint8Array, context: string): StoredSecrets {
  return JSON.parse(unseal(sealed, context)) as StoredSecrets;
}

/** The columns of secrets. Fields that are null are not set. */
export function secretColumns({ fields, signing }: StoredSecrets, context: string) {
  const set = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
  return {
    secrets: seal(JSON.stringify({ fields: set, signing } satisfies StoredSecrets), context),
    secretFields: Object.keys(set),
  };
}

/** The secrets that sign at a time in Unix milliseconds. */
export function signingSecretsAt({ signing }: StoredSecrets, now: number): string[] {
  return signing.flatMap(({ secret, until }) => (until === null || until > now ? [secret] : []));
}

/** The signing secrets after a rotation. After two within a day, the first secret is gone: receivers need at most two signatures. */
export function rotateSigning(signing: StoredSecrets["signing"], secret: string, now: number) {
  const replaced = signing.slice(0, 1).map((each) => ({ secret: each.secret, until: now + OVERLAP_MS }));
  return [{ secret, until: null }, ...replaced];
}

/** Settings as the audit log records them: of URLs only the origin. */
export function recordedSettings(settings: unknown): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(settings as Record<string, unknown>).map(([name, value]) => [
      name,
      typeof value === "string" && isHttpUrl(value) ? onlyOrigin(value) : value,
    ]),
  );
}

const isHttpUrl = (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

/** Secrets as the audit log records them. None if they cannot be opened, which must not prevent a change or the deletion of their row. */
export function recordedSecrets(sealed: Uint8Array, context: string): Record<string, Secret> {
  const { fields, signing } = readableSecrets(sealed, context);
  const all = { ...fields, signing_secret: signing[0]?.secret ?? null };
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [name, new Secret(value)]));
}

/** Like `openStoredSecrets`, but none if they cannot be opened. */
export function readableSecrets(sealed: Uint8Array, context: string): StoredSecrets {
  return openedSecrets(sealed, context) ?? { fields: {}, signing: [] };
}

function openedSecrets(sealed: Uint8Array, context: string): StoredSecrets | null {
  try {
    return openStoredSecrets(sealed, context);
  } catch {
    return null;
  }
}

/**
 * The secrets of a row whose signing secret is rotated, which is how it gets one again if they cannot be opened. Throws 409 if others would be
 * lost then.
 */
export function secretsToRotate(
  { secrets, secretFields }: { secrets: Uint8Array; secretFields: readonly string[] },
  context: string,
): StoredSecrets {
  const opened = openedSecrets(secrets, context);
  if (opened === null && secretFields.length > 0) {
    const names = secretFields.join(", ");
    throw new ApiError(
      "CONFLICT",
      `First give these secrets again, because ENCRYPTION_KEY has changed since they were saved: ${names}.`,
    );
  }
  return opened ?? { fields: {}, signing: [] };
}

/**
 * The secrets of a row that a person changes. If they cannot be opened, each must be given again. Throws 400 naming those that are missing,
 * as `${part}.…`, and 409 if there is only a signing secret, which a rotation replaces. If it has both, it has no signing secret then.
 */
export function secretsToChange(
  { secrets, secretFields }: { secrets: Uint8Array; secretFields: readonly string[] },
  context: string,
  { part, given, isSigned }: { part: "settings" | "secrets"; given: Record<string, unknown>; isSigned: boolean },
): StoredSecrets {
  const opened = openedSecrets(secrets, context);
  if (opened !== null) return opened;
  if (isSigned && secretFields.length === 0) {
    throw new ApiError(
      "CONFLICT",
      "The signing secret cannot be decrypted, because ENCRYPTION_KEY has changed: rotate it first.",
    );
  }
  const missing = secretFields.filter((name) => given[name] === undefined);
  const message = `must be given again, because ENCRYPTION_KEY has changed since it was saved${isSigned ? "; then rotate the signing secret" : ""}`;
  if (missing.length > 0) throw invalidFields(missing.map((name) => ({ path: `${part}.${name}`, message })));
  return { fields: {}, signing: [] };
}
