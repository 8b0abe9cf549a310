import pg from "pg";
import type { Conditions } from "@/lib/audit-logs/conditions";
import type { Format } from "@/lib/audit-logs/read/export-contract";
import { JOIN_SEAL } from "@/lib/audit-logs/seal/find-seals";

/** Unicode `Bidi_Control`. */
const BIDI_CONTROLS = [
  ...["061C", "200E", "200F", "202A", "202B", "202C", "202D", "202E", "2066", "2067", "2068", "2069"],
];
const OCCURRED_AT = `to_char(occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const RESPONSE_TIME = "response_time_us / 1000::double precision";
/** Without a stored body: nothing was submitted. */
const IS_EMPTY = "body_size = 0 AND seal.redaction ->> 'body' IS NULL";
const BODY = `CASE WHEN body IS NULL THEN CASE WHEN ${IS_EMPTY} THEN '' END ELSE coalesce(audit_body_text(body), translate(encode(body, 'base64'), E'\\n', '')) END`;
const ENCODING = `CASE WHEN body IS NULL THEN CASE WHEN ${IS_EMPTY} THEN 'utf8' END WHEN audit_body_text(body) IS NULL THEN 'base64' ELSE 'utf8' END`;

/** User-defined text: a `'` precedes text that a spreadsheet would run as a formula. */
const escapeFormula = (column: string) =>
  `CASE WHEN ascii(${column}) IN (61, 43, 45, 64, 9, 13) THEN '''' || ${column} ELSE ${column} END`;

/** User-defined names: bidirectional controls, which would rearrange adjacent cells, become U+FFFD. */
const replaceBidiControls = (column: string) => {
  const controls = BIDI_CONTROLS.map((code) => `\\u${code}`).join("");
  return escapeFormula(`translate(${column}, E'${controls}', repeat(E'\\uFFFD', ${BIDI_CONTROLS.length}))`);
};

/** A column that is null for events that are not requests. */
const ofRequest = (column: string) => `CASE WHEN method IS NOT NULL THEN ${column} END`;

/** The columns of the CSV: the contract's fields, flattened. */
const csvColumns: Record<string, string> = {
  id: "e.id",
  occurred_at: OCCURRED_AT,
  request_method: "method",
  request_path: ofRequest(escapeFormula("path")),
  request_route: ofRequest("route"),
  request_query: ofRequest(escapeFormula("query")),
  request_body_size: ofRequest("body_size"),
  request_content_type: ofRequest(escapeFormula("content_type")),
  authentication_organization_id: "CASE WHEN auth_type <> '' THEN e.organization_id END",
  authentication_type: "nullif(auth_type, '')",
  authentication_api_key_id: "api_key_id",
  authentication_api_key_name: replaceBidiControls("api_key_name"),
  authentication_api_key_hint: "api_key_hint",
  authentication_user_id: "user_id",
  authentication_user_name: replaceBidiControls("user_name"),
  authentication_user_email: replaceBidiControls("user_email"),
  response_status_code: "status_code",
  response_response_time_ms: RESPONSE_TIME,
  response_error_code: "error_code",
  response_error_message: replaceBidiControls("error_message"),
  client_ip_address: "host(ip_address)",
  client_user_agent: escapeFormula("user_agent"),
  client_country: "country",
  security_rate_limit_remaining: "rate_limit_remaining",
  security_flags: "array_to_string(flags, ' ')",
  security_is_security_event: "is_security_event::text",
  resource_type: "resource_type",
  resource_id: escapeFormula("resource_id"),
  resource_action: "action",
  seal_index: "seal.index",
  seal_epoch: "seal.epoch",
  seal_redaction:
    "nullif(concat_ws(' ', CASE WHEN seal.redaction ->> 'body' IS NOT NULL THEN 'body' END, CASE WHEN seal.redaction ->> 'caller' IS NOT NULL THEN 'caller' END), '')",
  details: "details::text",
};

const bodyColumns = {
  request_body: ofRequest(escapeFormula(`(${BODY})`)),
  request_body_encoding: ofRequest(ENCODING),
};

/** Columns as a JSON object; null if `present` is null. */
function object(fields: string, present: string): string {
  return `CASE WHEN ${present} IS NOT NULL THEN (SELECT row_to_json(o) FROM (SELECT ${fields}) AS o) END`;
}

function json(withBody: boolean): string {
  const body = withBody ? `, ${BODY} AS body, ${ENCODING} AS body_encoding` : "";
  const fields = [
    "e.id",
    `${OCCURRED_AT} AS occurred_at`,
    `${object(`method, coalesce(path, '') AS path, route, query, body_size, content_type${body}`, "method")} AS request`,
    `CASE WHEN auth_type <> '' THEN (SELECT row_to_json(a) FROM (SELECT e.organization_id, auth_type AS type,
      ${object("api_key_id AS id, coalesce(api_key_name, '') AS name, coalesce(api_key_hint, '') AS hint", "api_key_id")} AS api_key,
      ${object(`user_id AS id, coalesce(user_name, '') AS name, coalesce(user_email, '') AS email`, "user_id")} AS user) AS a) END AS authentication`,
    `(SELECT row_to_json(r) FROM (SELECT status_code, ${RESPONSE_TIME} AS response_time_ms, error_code, error_message) AS r) AS response`,
    "CASE WHEN auth_type <> '' THEN (SELECT row_to_json(c) FROM (SELECT host(ip_address) AS ip_address, user_agent, country) AS c) END AS client",
    "(SELECT row_to_json(s) FROM (SELECT rate_limit_remaining, flags, is_security_event) AS s) AS security",
    "(SELECT row_to_json(y) FROM (SELECT resource_type AS type, resource_id AS id, action) AS y) AS resource",
    `${object("seal.index, seal.epoch, seal.redaction", "seal.epoch")} AS seal`,
    "details",
  ];
  return `(SELECT row_to_json(event) FROM (SELECT ${fields.join(", ")}) AS event)`;
}

/**
 * The COPY statement that writes the matching events, oldest first, formatted by PostgreSQL; `bodies` limits where their bodies are looked
 * for. JSON is sent as CSV with one column whose quote and delimiter are control characters, which JSON never contains, so that it needs
 * no escaping.
 */
export function copySql(format: Format, withBody: boolean, conditions: Conditions, bodies: Conditions): string {
  const columns = { ...csvColumns, ...(withBody && bodyColumns) };
  const selected = format === "csv" ? Object.values(columns).join(", ") : json(withBody);
  // With conditions of their own: the database applies those of events to no other table, and would read every day of bodies.
  const joined = withBody
    ? `LEFT JOIN (SELECT * FROM audit_bodies WHERE ${bodies}) AS b
       ON b.organization_id = e.organization_id AND b.retention_days = e.retention_days AND b.id = e.id`
    : "";
  const from = `(SELECT * FROM audit_events WHERE ${conditions}) AS e ${joined} ${JOIN_SEAL}`;
  const options = format === "csv" ? "FORMAT csv" : `FORMAT csv, QUOTE E'\\x01', DELIMITER E'\\x02'`;
  return `COPY (SELECT ${selected} FROM ${from} ORDER BY e.id) TO STDOUT WITH (${options})`;
}

/** The header row of the CSV. */
export function csvHeader(withBody: boolean): string {
  return `${Object.keys({ ...csvColumns, ...(withBody && bodyColumns) }).join(",")}\r\n`;
}

/** Inlines values as literals, because COPY takes no parameters. `text` is our own SQL; only the values are external. */
export function inline(text: string, values: readonly unknown[]): string {
  return text.replace(/\$(\d+)/g, (_, number: string) => literal(values[Number(number) - 1]));
}

function literal(value: unknown): string {
  if (Array.isArray(value)) return `ARRAY[${value.map(literal).join(", ")}]`;
  if (typeof value === "number") return String(value);
  if (typeof value === "string") return pg.escapeLiteral(value);
  throw new TypeError(`a ${typeof value} cannot become a literal`);
}
