import type { AuditRow } from "@/lib/audit-logs/audit-event-draft";
import type { AuditEvent, AuditEventWithBody, Seal } from "@/lib/audit-logs/contract";
import { idTime } from "@/lib/ids";

/** The columns that are needed to show an event. */
export const SHOWN = `organization_id, id, method, path, route, query, body_size, content_type, auth_type, api_key_id, api_key_name,
  api_key_hint, user_id, user_name, user_email, status_code, response_time_us, error_code, error_message,
  host(ip_address) AS ip_address, user_agent, country, rate_limit_remaining, flags, is_security_event, resource_type, resource_id,
  action, details`;

/** An event as read. `is_security_event` was set when the event was stored, and the filters use the stored value. */
export interface ShownRow extends AuditRow {
  is_security_event: boolean;
}

/**
 * An event in the form of the contract, with its seal if it has one; export-sql.ts implements the same in SQL. Events without a method
 * are not requests.
 */
export function toAuditEvent(row: ShownRow, seal: Seal | null): AuditEvent {
  return {
    id: row.id,
    occurred_at: new Date(idTime(row.id)).toISOString(),
    request:
      row.method === null
        ? null
        : {
            method: row.method,
            path: row.path ?? "",
            route: row.route,
            query: row.query,
            body_size: row.body_size,
            content_type: row.content_type,
          },
    authentication: authenticationOf(row),
    response: {
      status_code: row.status_code,
      response_time_ms: row.response_time_us === null ? null : row.response_time_us / 1000,
      error_code: row.error_code,
      error_message: row.error_message,
    },
    client:
      row.auth_type === "" ? null : { ip_address: row.ip_address, user_agent: row.user_agent, country: row.country },
    security: {
      rate_limit_remaining: row.rate_limit_remaining,
      flags: row.flags,
      is_security_event: row.is_security_event,
    },
    resource: { type: row.resource_type, id: row.resource_id, action: row.action },
    seal,
    details: row.details,
  };
}

function authenticationOf(row: ShownRow): AuditEvent["authentication"] {
  if (row.auth_type === "") return null;
  return {
    organization_id: row.organization_id,
    type: row.auth_type,
    api_key:
      row.api_key_id === null
        ? null
        : { id: row.api_key_id, name: row.api_key_name ?? "", hint: row.api_key_hint ?? "" },
    user: row.user_id === null ? null : { id: row.user_id, name: row.user_name ?? "", email: row.user_email ?? "" },
  };
}

/** The event with its body: text if the bytes are UTF-8 without NUL, else base64. `body` is null if none was stored. */
export function toAuditEventWithBody(row: ShownRow, body: Buffer | null, seal: Seal | null): AuditEventWithBody {
  const event = toAuditEvent(row, seal);
  const isRedacted = (seal?.redaction?.body ?? null) !== null;
  const bytes = body ?? (row.body_size === 0 && !isRedacted ? Buffer.alloc(0) : null);
  return { ...event, request: event.request && { ...event.request, ...encodeBody(bytes) } };
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function encodeBody(bytes: Buffer | null): { body: string | null; body_encoding: "utf8" | "base64" | null } {
  if (bytes === null) return { body: null, body_encoding: null };
  try {
    // Exports decode bodies in PostgreSQL, whose text cannot contain NUL; the encoding must be the same here.
    if (!bytes.includes(0)) return { body: utf8.decode(bytes), body_encoding: "utf8" };
  } catch {}
  return { body: bytes.toString("base64"), body_encoding: "base64" };
}
