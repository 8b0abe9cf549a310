import type pg from "pg";
import type { Seal } from "@/lib/audit-logs/contract";
import { auditPool } from "@/lib/db/audit";
import { idTime } from "@/lib/ids";

/** The events of one row of seals occurred within this time, in milliseconds. */
export const ROW_SPAN_MS = 5_000;

/** An event of an organization. */
export interface EventKey {
  organization_id: string;
  id: string;
}

/** The events that redacted parts of the event of a row `r`, in the form of the contract. */
const REDACTION =
  "CASE WHEN r.event_id IS NOT NULL THEN json_build_object('body', r.redactions -> 'body', 'caller', r.redactions -> 'caller') END";

/** The row of an event with this organization, id and time, all as SQL. */
const rowOf = (organization: string, id: string, at: string) =>
  `SELECT s.epoch, s.first_index + array_position(s.ids, ${id}) - 1 AS index,
     s.epoch < l.epoch OR s.first_index < l.signed_size AS is_signed, ${REDACTION} AS redaction
   FROM audit_seals s JOIN audit_seal_logs l ON l.organization_id = s.organization_id
     LEFT JOIN audit_redactions r ON r.organization_id = s.organization_id AND r.event_id = ${id}
   WHERE s.organization_id = ${organization} AND s.min_at BETWEEN ${at} - interval '${ROW_SPAN_MS} milliseconds' AND ${at}
     AND s.max_at >= ${at} AND ${id} = ANY (s.ids)
   ORDER BY s.epoch DESC LIMIT 1`;

/** Joins `seal` with the columns `epoch`, `index` and `redaction` to each event `e`; null unless a signed checkpoint covers the event. */
export const JOIN_SEAL = `LEFT JOIN LATERAL (${rowOf("e.organization_id", "e.id", "e.occurred_at")}) AS seal ON is_signed`;

const SQL = `
SELECT due.organization_id, due.id, seal.epoch, seal.index::float8 AS index, seal.redaction, is_signed
FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) AS due (organization_id, id, at)
CROSS JOIN LATERAL (${rowOf("due.organization_id", "due.id", "due.at")}) AS seal`;

interface Found extends EventKey, Seal {
  is_signed: boolean;
}

/** The sealed events. */
async function readSealed(
  events: readonly EventKey[],
  database: Pick<pg.Pool, "query"> = auditPool(),
): Promise<Found[]> {
  if (events.length === 0) return [];
  const { rows } = await database.query<Found>({
    name: "find-seals",
    text: SQL,
    values: [
      events.map(({ organization_id }) => organization_id),
      events.map(({ id }) => id),
      events.map(({ id }) => new Date(idTime(id)).toISOString()),
    ],
  });
  return rows;
}

/** Where events are in the sealed log of their organization, by id. Events that no signed checkpoint covers yet are missing. */
export async function findSeals(
  events: readonly EventKey[],
  database?: Pick<pg.Pool, "query">,
): Promise<Map<string, Seal>> {
  const rows = await readSealed(events, database);
  return new Map(
    rows
      .filter(({ is_signed }) => is_signed)
      .map(({ id, index, epoch, redaction }) => [id, { index, epoch, redaction }]),
  );
}

const SEALED_IDS = `
SELECT due.organization_id, sealed.id
FROM unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[]) AS due (organization_id, low, high)
CROSS JOIN LATERAL (
  SELECT ids FROM audit_seals s WHERE s.organization_id = due.organization_id
    AND s.min_at BETWEEN due.low - interval '${ROW_SPAN_MS} milliseconds' AND due.high AND s.max_at >= due.low
) AS rows CROSS JOIN unnest(rows.ids) AS sealed (id)`;

/**
 * What is sealed at the time of these events, perhaps they themselves. They are looked up by spans of time, because most are not sealed,
 * and each would be compared with all that is sealed within some seconds.
 */
export async function readSealedAround(
  events: readonly EventKey[],
  database: Pick<pg.Pool, "query">,
): Promise<EventKey[]> {
  const spans = spansOf(events);
  if (spans.length === 0) return [];
  const { rows } = await database.query<EventKey>({
    name: "find-sealed-around",
    text: SEALED_IDS,
    values: [
      spans.map(({ organization_id }) => organization_id),
      spans.map(({ low }) => new Date(low).toISOString()),
      spans.map(({ high }) => new Date(high).toISOString()),
    ],
  });
  return rows;
}

/** The times of the events of each organization, in spans (Unix milliseconds) of at most `ROW_SPAN_MS`. */
function spansOf(events: readonly EventKey[]): { organization_id: string; low: number; high: number }[] {
  const times = events.map(({ organization_id, id }) => ({ organization_id, at: idTime(id) }));
  times.sort((one, other) =>
    one.organization_id === other.organization_id
      ? one.at - other.at
      : one.organization_id < other.organization_id
        ? -1
        : 1,
  );
  const spans: { organization_id: string; low: number; high: number }[] = [];
  for (const { organization_id, at } of times) {
    const span = spans.at(-1);
    if (span?.organization_id === organization_id && at <= span.low + ROW_SPAN_MS) span.high = at;
    else spans.push({ organization_id, low: at, high: at });
  }
  return spans;
}
