import type { Entry } from "@/lib/audit-logs/write/append";
import { API_PREFIX } from "@/lib/http/endpoint";

/**
 * A form of an event that any database accepts, after the database refused the original: free text is truncated and reduced to ASCII.
 * Caller, time, route and outcome are kept.
 */
export function sanitizeEvent({ row, body }: Entry): Entry {
  const plain = (text: string | null) => text?.replace(/[^\x20-\x7e]/g, "?").slice(0, 1000) ?? null;
  return {
    row: {
      ...row,
      path: plain(row.path),
      query: plain(row.query),
      content_type: plain(row.content_type),
      user_agent: plain(row.user_agent),
      error_message: plain(row.error_message),
      api_key_name: plain(row.api_key_name),
      user_name: plain(row.user_name),
      user_email: plain(row.user_email),
      resource_id: plain(row.resource_id),
      body_size: row.body_size === null ? null : Math.min(row.body_size, 2 ** 31 - 1),
      response_time_us: row.response_time_us === null ? null : Math.min(row.response_time_us, 2 ** 31 - 1),
    },
    body,
  };
}

/**
 * The last resort if the sanitized event was refused as well: omits all text from clients and people, including the body, and notes this
 * in `details`. Caller (by ids), time, route and outcome are kept.
 */
export function minimalEvent({ row }: Entry): Entry {
  return {
    row: {
      ...row,
      path: row.path === null ? null : (row.route ?? API_PREFIX),
      query: null,
      content_type: null,
      user_agent: null,
      error_message: null,
      api_key_name: null,
      user_name: null,
      user_email: null,
      details: { reduced: true },
    },
    body: null,
  };
}
