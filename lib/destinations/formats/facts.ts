import type { Flag } from "@/lib/audit-logs/flags";
import { storableJson } from "@/lib/audit-logs/storable";
import type { SentEvent } from "@/lib/destinations/batches/batch";
import { text } from "@/lib/destinations/formats/text";
import { parseOrganizationOrigin } from "@/lib/sealed-log/origin";

/** Who caused an event. `redacted`: the caller was removed from the log. */
export interface Caller {
  kind: "person" | "api_key" | "anonymous" | "system" | "redacted";
  id?: string | undefined;
  /** The name of a key; the address of a person. */
  name?: string | undefined;
  fullName?: string | undefined;
}

export type Outcome = "success" | "failure" | "unknown";

/** A person or key that an event changed. `permission`: what was given, changed to or taken away. */
export interface Changed {
  kind: "person" | "api_key";
  id: string;
  name?: string | undefined;
  permission?: string | undefined;
}

export const severities = ["informational", "low", "medium", "high"] as const;
export type Severity = (typeof severities)[number];

/** The severity of an event is the highest of its flags; without any it is informational. */
export const flagSeverities: Readonly<Record<Flag, Severity>> = {
  invalid_credentials: "medium",
  expired_key: "medium",
  revoked_key: "high",
  rotated_secret: "high",
  ip_not_allowed: "high",
  method_not_allowed: "medium",
  out_of_scope: "medium",
  rate_limited: "low",
  cross_site_request: "medium",
  key_created: "low",
  key_updated: "low",
  key_rotated: "low",
  key_revoked: "low",
  sign_in: "informational",
  sign_in_refused: "medium",
  sign_out: "informational",
  member_added: "low",
  member_changed: "low",
  member_removed: "low",
  organization_updated: "low",
  plan_changed: "low",
  audit_exported: "low",
  audit_redacted: "medium",
  audit_hold_placed: "medium",
  audit_hold_released: "medium",
  destination_changed: "medium",
  organization_exported: "medium",
  new_address: "low",
  new_country: "medium",
  interrupted: "informational",
};

export function severityOf({ security }: SentEvent): Severity {
  const levels = security.flags.map((flag) => severities.indexOf(flagSeverities[flag]));
  return severities[Math.max(0, ...levels)] ?? "informational";
}

export function callerOf({ authentication }: SentEvent): Caller {
  if (authentication === null) return { kind: "redacted" };
  const { type, api_key, user } = authentication;
  if (api_key) return { kind: "api_key", id: text(api_key.id), name: text(api_key.name) };
  if (user) return { kind: "person", id: text(user.id), name: text(user.email), fullName: text(user.name) };
  return { kind: type === "system" ? "system" : "anonymous" };
}

/** A request succeeded below 400; other events unless they have an error or were refused. A request without a status is unknown. */
export function outcomeOf({ request, response, security }: SentEvent): Outcome {
  const { status_code, error_code } = response;
  if (security.flags.includes("sign_in_refused") || security.flags.includes("interrupted")) return "failure";
  if (status_code !== null) return status_code < 400 ? "success" : "failure";
  if (error_code !== null) return "failure";
  return request === null ? "success" : "unknown";
}

/** The person or key that the event changed according to its flags. Null without one, and for refused attempts. */
export function changedBy(event: SentEvent): Changed | null {
  const { flags } = event.security;
  const kind = flags.some((flag) => flag.startsWith("key_"))
    ? "api_key"
    : flags.some((flag) => flag.startsWith("member_"))
      ? "person"
      : null;
  if (kind === null || outcomeOf(event) === "failure") return null;
  return event.resource.type === "invitation" ? accepted(event) : changed(event, kind);
}

/** A person who accepts an invitation becomes a member, but the event's resource is the invitation. */
function accepted(event: SentEvent): Changed | null {
  const { kind, id, name } = callerOf(event);
  return kind === "person" && id !== undefined ? { kind, id, name, permission: permissionIn(event) } : null;
}

function changed(event: SentEvent, kind: Changed["kind"]): Changed | null {
  const { type, id } = event.resource;
  const expected = kind === "person" ? "member" : "api_key";
  const uid = text(id);
  if (type !== expected || uid === undefined) return null;
  const name = text(event.details?.resource_name) ?? recordedValue(event, "name");
  return { kind, id: uid, name, permission: permissionIn(event) };
}

function permissionIn(event: SentEvent): string | undefined {
  return recordedValue(event, "permission");
}

/** A recorded field after the change; before it, if it is gone. */
function recordedValue({ details }: SentEvent, field: string): string | undefined {
  const change = details?.changes?.find((each) => each.field === field);
  const value = change?.to ?? change?.from;
  return typeof value === "string" ? text(value) : undefined;
}

/** Characters of `details` as JSON that formats for other products keep: twice what changes can have. */
const MAX_DETAILS = 16_384;

/** The further details as a JSON text, because their members have various types; undefined if there are none or they are too long. */
export function detailsText({ details }: SentEvent): string | undefined {
  const json = details === null ? undefined : storableJson(details);
  return json === undefined || json.length > MAX_DETAILS ? undefined : json;
}

/** The organization whose log it is; an event with a redacted caller does not name it. */
export function organizationOf({ authentication }: SentEvent, origin: string): string | undefined {
  return authentication?.organization_id ?? parseOrganizationOrigin(origin)?.organizationId;
}
