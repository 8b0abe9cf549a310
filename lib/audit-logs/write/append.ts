import type pg from "pg";
import type { AuditRow } from "@/lib/audit-logs/audit-event-draft";
import { expansion, keyExpansion, readExpansion } from "@/lib/audit-logs/count/dimensions";
import { isSecurityEvent } from "@/lib/audit-logs/flags";
import { createPartitionsFor, isPartitionMissing } from "@/lib/audit-logs/partitions/partitions";
import { storable, storableJson } from "@/lib/audit-logs/storable";
import { tokensOf } from "@/lib/audit-logs/tokens";
import { storeWithFirstSeenOrigins } from "@/lib/audit-logs/write/first-seen-origins";
import { notifyStored } from "@/lib/audit-logs/write/on-stored";
import { byteaArray } from "@/lib/db/bytea-array";
import { latencyBucketSql } from "@/lib/histogram";
import { idTime } from "@/lib/ids";
import { nextTurn } from "@/lib/turns";

/** An event with its body. */
export interface Entry {
  row: AuditRow;
  body: Buffer | null;
}

/** Bytes of bodies above which copying gets its own turn of the event loop. */
const LARGE_BODY_BYTES = 1024 * 1024;

/** Columns as sent: one array parameter each. Nested arrays are sent as text and cast in the statement. */
const columns = {
  organization_id: "uuid",
  retention_days: "smallint",
  id: "uuid",
  occurred_at: "timestamptz",
  method: "text",
  path: "text",
  route: "text",
  query: "text",
  body_size: "integer",
  content_type: "text",
  auth_type: "text",
  api_key_id: "uuid",
  api_key_name: "text",
  api_key_hint: "text",
  user_id: "uuid",
  user_name: "text",
  user_email: "text",
  status_code: "smallint",
  response_time_us: "integer",
  error_code: "text",
  error_message: "text",
  ip_address: "inet",
  user_agent: "text",
  country: "text",
  rate_limit_remaining: "integer",
  flags: "text[]",
  is_security_event: "boolean",
  resource_type: "text",
  resource_id: "text",
  action: "text",
  details: "jsonb",
  tokens: "text[]",
} as const;

type Column = keyof typeof columns;
const names = Object.keys(columns) as Column[];
const isList = (name: Column) => columns[name] === "text[]";
const parameters = names.map((name, index) => `$${index + 1}::${isList(name) ? "text" : columns[name]}[]`);

/** The columns that counts are expanded from. */
const COUNTED = ["flag_list", latencyBucketSql("response_time_us"), "token_list"] as const;

/**
 * One statement, so one transaction and one round trip: inserts events, bodies, and for newly inserted events their counts and a row of
 * the sealer's queue. It writes only its own rows, so that writers never block each other.
 */
const SQL = `
WITH sent AS (
  SELECT * FROM unnest(${parameters.join(", ")}) AS sent (${names.join(", ")})
), events AS (
  INSERT INTO audit_events (${names.join(", ")})
  SELECT ${names.map((name) => (isList(name) ? `${name}::text[]` : name)).join(", ")} FROM sent
  ON CONFLICT DO NOTHING
  RETURNING organization_id, retention_days, id
), bodies AS (
  INSERT INTO audit_bodies (organization_id, retention_days, id, body)
  SELECT organization_id, retention_days, id, body
  FROM unnest($${names.length + 1}::uuid[], $${names.length + 2}::bytea[]) AS body (id, body) JOIN events USING (id)
), queued AS (
  INSERT INTO audit_seal_queue (organization_id, ids) SELECT organization_id, array_agg(id) FROM events GROUP BY organization_id
), hours AS (
  SELECT organization_id, retention_days, date_trunc('hour', occurred_at, 'UTC') AS start, dimension, value,
    (array_agg(id))[1] AS id, count(*) AS events, max(peak) AS peak
  FROM events JOIN (SELECT sent.*, flags::text[] AS flag_list, tokens::text[] AS token_list FROM sent) AS sent USING (organization_id, retention_days, id)
  CROSS JOIN LATERAL (
    ${expansion(...COUNTED)} UNION ALL ${readExpansion(...COUNTED)} UNION ALL ${keyExpansion("flag_list")}
  ) AS counted
  GROUP BY 1, 2, 3, 4, 5
)
INSERT INTO audit_deltas (organization_id, id, retention_days, start, dimensions, "values", events, peaks)
SELECT organization_id, (array_agg(id))[1], retention_days, start,
  array_agg(dimension), array_agg(value), array_agg(events), array_agg(peak)
FROM hours GROUP BY organization_id, retention_days, start`;

/** `{a,b}`, an array literal of PostgreSQL. */
function arrayLiteral(values: readonly string[]): string {
  return `{${values.map((value) => `"${value.replace(/["\\]/g, "\\$&")}"`).join(",")}}`;
}

function cell(row: AuditRow, name: Column): unknown {
  if (name === "occurred_at") return new Date(idTime(row.id)).toISOString();
  if (name === "is_security_event") return isSecurityEvent(row.flags);
  if (name === "flags") return arrayLiteral(row.flags);
  if (name === "details") return row.details && storableJson(row.details);
  if (name === "tokens") return arrayLiteral(tokensOf(row));
  const value = row[name];
  return typeof value === "string" ? storable(value) : value;
}

/** Stores all events with bodies and counts, or none. Events that are already stored are ignored. */
export async function append(pool: pg.Pool, entries: readonly Entry[]): Promise<void> {
  try {
    await insert(pool, entries);
  } catch (error) {
    if (!isPartitionMissing(error) || !(await createPartitionsFor(entries.map(({ row }) => row)))) throw error;
    await insert(pool, entries);
  }
}

async function insert(pool: pg.Pool, sent: readonly Entry[]): Promise<void> {
  // An event that occurs twice in one statement would be counted twice.
  const entries = [...new Map(sent.map((entry) => [entry.row.id, entry])).values()];
  const stored = await storeWithFirstSeenOrigins(pool, entries, send);
  notifyStored(stored.map(({ row }) => row));
}

/** Sends the statement. Throws if a partition is missing. */
export async function send(client: pg.Pool | pg.PoolClient, entries: readonly Entry[]): Promise<void> {
  const bodies = entries.filter(({ body }) => body !== null);
  const bytes = byteaArray(bodies.map(({ body }) => body));
  // The driver copies the bytes twice more.
  if (bytes.length > LARGE_BODY_BYTES) await nextTurn();
  await client.query({
    name: "audit-append",
    text: SQL,
    values: [...names.map((name) => entries.map(({ row }) => cell(row, name))), bodies.map(({ row }) => row.id), bytes],
  });
}
