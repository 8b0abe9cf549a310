import { seal, unseal } from "@/lib/encryption";
import type { Authentication, ShownAuthentication } from "@/lib/uptime/authentication";
import { shownCertificate } from "@/lib/uptime/client-certificate";

/** What a monitor sends and nobody can read. */
export interface MonitorSecrets {
  headers: Record<string, string>;
  authentication: Authentication;
}

/** The columns that hold the secrets of a monitor. */
export interface SecretColumns {
  organizationId: string;
  id: string;
  /** As an earlier release stores them: not encrypted. */
  headers: unknown;
  secrets: Uint8Array | null;
}

const NONE: MonitorSecrets = { headers: {}, authentication: { type: "none" } };

/** The context in which a monitor's secrets are sealed: they open nowhere else. */
export const sealContextOf = ({ organizationId, id }: Pick<SecretColumns, "organizationId" | "id">) =>
  `uptime-monitor:${organizationId}:${id}`;

/** Headers that a process of an earlier release stored, or that are not encrypted yet. */
export function plainHeaders({ headers }: Pick<SecretColumns, "headers">): Record<string, string> {
  return headers as Record<string, string>;
}

/** A monitor's secrets. Throws if they were sealed with another ENCRYPTION_KEY. */
export function openSecrets(row: SecretColumns): MonitorSecrets {
  const sealed = row.secrets === null ? NONE : (JSON.parse(unseal(row.secrets, sealContextOf(row))) as MonitorSecrets);
  const plain = plainHeaders(row);
  // Only a process of an earlier release writes them, so they are newer.
  return Object.keys(plain).length === 0 ? sealed : { ...sealed, headers: plain };
}

/** The same; none if they cannot be opened, which must prevent neither pausing nor deletion. */
export function readableSecrets(row: SecretColumns): MonitorSecrets {
  try {
    return openSecrets(row);
  } catch {
    return NONE;
  }
}

/** What is shown of an authentication. */
export function shownAuthenticationOf(authentication: Authentication): ShownAuthentication {
  const { type } = authentication;
  return {
    type,
    username: type === "basic" ? authentication.username : null,
    certificate: type === "client_certificate" ? shownCertificate(authentication) : null,
  };
}

/** The columns of a monitor's secrets. `authentication` is what is shown of it; empty for none. */
export function secretColumns(
  place: Pick<SecretColumns, "organizationId" | "id">,
  { headers, authentication }: MonitorSecrets,
) {
  const isEmpty = Object.keys(headers).length === 0 && authentication.type === "none";
  const secrets: MonitorSecrets = { headers, authentication };
  return {
    headers: {},
    headerNames: Object.keys(headers),
    authentication: authentication.type === "none" ? {} : shownAuthenticationOf(authentication),
    secrets: isEmpty ? null : seal(JSON.stringify(secrets), sealContextOf(place)),
  };
}
