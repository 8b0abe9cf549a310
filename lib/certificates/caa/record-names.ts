import { isDeepStrictEqual } from "node:util";
import type pg from "pg";
import type { ReadName } from "@/lib/certificates/caa/check-due";
import type { CaaReading } from "@/lib/certificates/issuance/caa-records";
import { pool } from "@/lib/db/app";
import { withTransaction } from "@/lib/db/connections";

const DAY_SECONDS = 86_400;
/** Minutes after a failed query; doubles with each further failure, up to a day. */
const RETRY_MINUTES = 10;

interface Locked {
  id: string;
  failures: number;
  reading: CaaReading | null;
}

/** A row after a reading; null keeps the value. */
interface Next {
  organization_id: string;
  id: string;
  name: string;
  reading: CaaReading | null;
  before: CaaReading | null;
  changed_at: Date | null;
  error: string | null;
  failures: number;
  checked_at: Date;
  answered_at: Date | null;
  /** Seconds from now to the next reading, by the database's clock. */
  next_check_in: number;
}

function toNext({ name, outcome }: ReadName, row: Locked, now: Date): Next[] {
  if (outcome === "unused") return [];
  const same = { organization_id: name.organizationId, id: name.id, name: name.name, checked_at: now };
  const kept = { reading: null, before: null, changed_at: null };
  if ("error" in outcome) {
    const failures = row.failures + 1;
    const next_check_in = Math.min(DAY_SECONDS, RETRY_MINUTES * 60 * 2 ** Math.min(failures - 1, 10));
    return [{ ...same, ...kept, error: outcome.error, failures, answered_at: null, next_check_in }];
  }
  const next_check_in = DAY_SECONDS * (0.95 + Math.random() / 10);
  const answered = { ...same, error: null, failures: 0, answered_at: now, next_check_in };
  if (isDeepStrictEqual(outcome, row.reading)) return [{ ...answered, ...kept }];
  return [{ ...answered, reading: outcome, before: row.reading, changed_at: row.reading === null ? null : now }];
}

async function write(client: pg.ClientBase, rows: readonly Next[]): Promise<void> {
  if (rows.length === 0) return;
  await client.query(
    `UPDATE certificate_names n
     SET reading = coalesce(new.reading, n.reading), before = coalesce(new.before, n.before),
       changed_at = coalesce(new.changed_at, n.changed_at), error = new.error, failures = new.failures,
       checked_at = new.checked_at, answered_at = coalesce(new.answered_at, n.answered_at),
       next_check_at = now() + make_interval(secs => new.next_check_in), leased_until = NULL
     FROM jsonb_to_recordset($1) AS new (organization_id uuid, id uuid, reading jsonb, before jsonb, changed_at timestamptz,
       error text, failures integer, checked_at timestamptz, answered_at timestamptz, next_check_in float8)
     WHERE n.organization_id = new.organization_id AND n.id = new.id`,
    [JSON.stringify(rows)],
  );
}

/** Makes the endpoints that serve these names due now, so that the new records are judged. */
async function checkEndpoints(client: pg.ClientBase, changed: readonly Next[]): Promise<void> {
  if (changed.length === 0) return;
  await client.query(
    `UPDATE certificate_endpoints e SET next_check_at = least(e.next_check_at, now())
     FROM (
       SELECT e.organization_id, e.id FROM certificate_endpoints e
       WHERE (e.organization_id, e.certificate_id) IN (
         SELECT c.organization_id, c.id FROM unnest($1::uuid[], $2::text[]) AS changed (organization_id, name)
         JOIN certificates c ON c.organization_id = changed.organization_id AND c.sans && ARRAY[changed.name, '*.' || changed.name])
       ORDER BY e.organization_id, e.id FOR UPDATE OF e
     ) AS locked
     WHERE e.organization_id = locked.organization_id AND e.id = locked.id`,
    [changed.map(({ organization_id }) => organization_id), changed.map(({ name }) => name)],
  );
}

async function record(client: pg.ClientBase, results: readonly ReadName[]): Promise<void> {
  // If the lease has ended meanwhile, the result of the next lease counts.
  const { rows } = await client.query<Locked>(
    `SELECT n.id, n.failures, n.reading FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) AS leased (organization_id, id, leased_until)
     JOIN certificate_names n
       ON n.organization_id = leased.organization_id AND n.id = leased.id AND n.leased_until = leased.leased_until
     ORDER BY n.organization_id, n.id FOR UPDATE OF n`,
    [
      results.map(({ name }) => name.organizationId),
      results.map(({ name }) => name.id),
      results.map(({ name }) => name.leasedUntil),
    ],
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  const now = new Date();
  const held = results.flatMap((result) => {
    const row = byId.get(result.name.id);
    return row === undefined ? [] : [{ result, row }];
  });
  const next = held.flatMap(({ result, row }) => toNext(result, row, now));
  await write(client, next);
  const unused = held.flatMap(({ result: { name, outcome } }) => (outcome === "unused" ? [name] : []));
  await client.query(
    `DELETE FROM certificate_names n USING unnest($1::uuid[], $2::uuid[]) AS unused (organization_id, id)
     WHERE n.organization_id = unused.organization_id AND n.id = unused.id`,
    [unused.map(({ organizationId }) => organizationId), unused.map(({ id }) => id)],
  );
  const changed = next.filter(({ reading }) => reading !== null);
  await checkEndpoints(client, changed);
}

/** Records what was read, and makes endpoints due whose findings change by it. */
export async function recordNames(results: readonly ReadName[]): Promise<void> {
  await withTransaction(pool(), (client) => record(client, results));
}
