import type { AuditRow } from "@/lib/audit-logs/audit-event-draft";
import { type Filters, hasOnlyRange } from "@/lib/audit-logs/filters";
import { hasSecurityIndex } from "@/lib/audit-logs/partitions/build-indexes";
import { readPage } from "@/lib/audit-logs/read/pages";
import type { Scope } from "@/lib/audit-logs/scope/scope";
import { where } from "@/lib/audit-logs/scope/where";
import { auditPool } from "@/lib/db/audit";
import { idAt, idTime } from "@/lib/ids";

/** Maximum events to count, newest first. A key far over its limit leaves one event per request, possibly millions. */
const MAX_EVENTS = 50_000;
/** Milliseconds after which no more of the range is read. */
const GROUPING_TIMEOUT_MS = 3_000;
const FIRST_WINDOW_DAYS = 1 / 24;
const ID_BYTES = 16;
/** The time at the start of an id, Unix milliseconds. */
const TIME_BYTES = 6;

type Facts = Pick<AuditRow, "flags" | "ip_address" | "country" | "api_key_id" | "api_key_hint" | "user_id">;
const COLUMNS = ["flags", "ip_address", "country", "api_key_id", "api_key_hint", "user_id"];
const SHOWN = COLUMNS.map((name) => (name === "ip_address" ? "host(ip_address) AS ip_address" : name)).join(", ");

/** Events that have all of these facts in common. */
export interface Alike extends Facts {
  /** Whether the caller was redacted. */
  isRedacted: boolean;
  /** Unix milliseconds, in any order. */
  times: number[];
  /** The id of the newest. */
  last: string;
}

/**
 * The newest matching security events of a range, at most MAX_EVENTS, those with the newest event first. `since` is where they begin: the
 * start of the range, or later if there are more or reading takes too long. A millisecond is read completely or not at all.
 */
export async function readSecurityEvents(
  scope: Scope,
  filters: Filters,
  { from, to }: { from: number; to: number },
): Promise<{ events: Alike[]; since: number }> {
  const { security_event: _, ...others } = filters;
  const range = { ...filters, since: from, until: to };
  const [events, resume] =
    hasOnlyRange(others) && (await hasSecurityIndex())
      ? [await readByIndex(scope, range), null]
      : await readByTokens(scope, { ...range, security_event: true });
  const count = events.reduce((sum, { times }) => sum + times.length, 0);
  const oldest = () => events.reduce((least, { times }) => times.reduce((a, b) => Math.min(a, b), least), to);
  const since = count > MAX_EVENTS ? oldest() + 1 : (resume ?? from);
  const counted = events.map((alike) => ({ ...alike, times: alike.times.filter((time) => time >= since) }));
  return {
    events: counted.filter(({ times }) => times.length > 0).sort((a, b) => (a.last < b.last ? 1 : -1)),
    since,
  };
}

/** Reads the index of security events alone, in order: the cost does not depend on the other events of the range. */
async function readByIndex(scope: Scope, { since = 0, until = 0 }: Filters): Promise<Alike[]> {
  const all = where(scope, {});
  all.add(`id >= ${all.value(idAt(since))} AND id < ${all.value(idAt(until))}`);
  const names = COLUMNS.join(", ");
  const { rows } = await auditPool("report").query<Facts & { ids: Buffer }>(
    `SELECT ${SHOWN}, string_agg(uuid_send(id), '') AS ids FROM (
       SELECT id, ${names} FROM audit_events WHERE ${all} AND is_security_event ORDER BY id DESC LIMIT ${MAX_EVENTS + 1}
     ) AS newest GROUP BY ${names.replace("ip_address", "newest.ip_address")}`,
    all.values,
  );
  const redacted = await readRedacted(
    scope,
    rows.filter(isNameless).flatMap(({ ids }) => textsOf(ids)),
  );
  return rows.flatMap(({ ids, ...facts }) =>
    isNameless(facts) ? split(facts, textsOf(ids), redacted) : [{ ...facts, isRedacted: false, ...decode(ids) }],
  );
}

/** Events without a caller are those of Sealwatch itself, or their caller was redacted. */
const isNameless = (facts: Facts) => facts.api_key_id === null && facts.user_id === null && facts.ip_address === null;

/** Those of these events whose caller was redacted; the index does not say it. */
async function readRedacted({ organizationId, classes }: Scope, ids: string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const { rows } = await auditPool("report").query<{ id: string }>(
    `SELECT id FROM audit_events
     WHERE organization_id = $1 AND retention_days = ANY($2::smallint[]) AND id = ANY($3::uuid[]) AND auth_type = ''`,
    [organizationId, classes, ids],
  );
  return new Set(rows.map(({ id }) => id));
}

function split(facts: Facts, ids: readonly string[], redacted: ReadonlySet<string>): Alike[] {
  return [false, true].flatMap((isRedacted) => {
    const own = ids.filter((id) => redacted.has(id) === isRedacted).sort();
    const last = own.at(-1);
    return last === undefined ? [] : [{ ...facts, isRedacted, times: own.map(idTime), last }];
  });
}

const textOf = (ids: Buffer, at: number) =>
  ids.toString("hex", at, at + ID_BYTES).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");

/** Ids in binary, one after the other, as texts. */
const textsOf = (ids: Buffer) => Array.from({ length: ids.length / ID_BYTES }, (_, at) => textOf(ids, at * ID_BYTES));

/** The times of ids in binary, one after the other, and the latest id. */
function decode(ids: Buffer): Pick<Alike, "times" | "last"> {
  const times: number[] = [];
  let last = 0;
  for (let at = 0; at < ids.length; at += ID_BYTES) {
    times.push(ids.readUIntBE(at, TIME_BYTES));
    if (ids.compare(ids, last, last + ID_BYTES, at, at + ID_BYTES) > 0) last = at;
  }
  return { times, last: textOf(ids, last) };
}

/** Also the time at which reading ended early, if it did. */
async function readByTokens(scope: Scope, range: Filters): Promise<[Alike[], number | null]> {
  const { rows, resume } = await readPage(scope, range, "desc", MAX_EVENTS + 1, null, {
    columns: `id, auth_type, ${SHOWN}`,
    timeoutMs: GROUPING_TIMEOUT_MS,
    firstWindowDays: FIRST_WINDOW_DAYS,
    purpose: "report",
  });
  const isFull = rows.length > MAX_EVENTS;
  return [
    rows.map(({ id, ...facts }) => ({ ...facts, isRedacted: facts.auth_type === "", times: [idTime(id)], last: id })),
    resume === null || isFull ? null : idTime(resume),
  ];
}
