import { isDeepStrictEqual } from "node:util";
import type { AuditEventDraft } from "@/lib/audit-logs/audit-event-draft";
import { type AuditChange, FIRST_ENTRIES, MAX_CHANGES, MAX_ENTRIES, MAX_TEXT } from "@/lib/audit-logs/change-contract";

/** The recorded fields of a resource, named as in its contract. Values are JSON or `Secret`. */
export type RecordedFields = Readonly<Record<string, unknown>>;

/** A value that is never recorded: only that it changed, and how the part `shown` of it changed. */
export class Secret {
  readonly #value: unknown;

  constructor(
    value: unknown,
    readonly shown: unknown = null,
  ) {
    this.#value = value;
  }

  get isEmpty(): boolean {
    return isEmpty(this.#value);
  }

  static changes(field: string, from: unknown, to: unknown): AuditChange[] {
    const hidden = (of: unknown) => (of instanceof Secret ? of.#value : of);
    const shownOf = (of: unknown) => (of instanceof Secret ? of.shown : null);
    if (isDeepStrictEqual(hidden(from), hidden(to))) return [];
    const shown = differences(field, shownOf(from), shownOf(to));
    return shown.length > 0 ? shown : [{ field, secret: true }];
  }
}

/** A URL whose query may be a secret. */
export function withoutQuery(url: string): Secret {
  return new Secret(url, url.replace(/\?.*/s, ""));
}

/** A URL whose path and query may be secrets. */
export function onlyOrigin(url: string): Secret {
  return new Secret(url, URL.canParse(url) ? new URL(url).origin : null);
}

/** Characters of all recorded changes of an event, as JSON: they are part of every list of events. */
const MAX_LENGTH = 8_000;
/** Maximum length of a recorded list entry in characters; longer entries are cut. */
const MAX_ENTRY = 100;

/**
 * The differences between a resource before and after a change, by field; nested fields are compared one by one. Null stands for a
 * resource that does not exist (before its creation, after its deletion); its empty fields are not a difference. `prefix` precedes the
 * names.
 */
export function changesOf(before: RecordedFields | null, after: RecordedFields | null, prefix = ""): AuditChange[] {
  const isWhole = before !== null && after !== null;
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...names].flatMap((name) => {
    const [from, to] = [before?.[name] ?? null, after?.[name] ?? null];
    if (!isWhole && isEmpty(from) && isEmpty(to)) return [];
    return differences(`${prefix}${name}`, from, to);
  });
}

function isEmpty(value: unknown): boolean {
  if (value instanceof Secret) return value.isEmpty;
  return value === null || value === "" || (typeof value === "object" && Object.keys(value).length === 0);
}

function differences(field: string, from: unknown, to: unknown): AuditChange[] {
  if (from instanceof Secret || to instanceof Secret) return Secret.changes(field, from, to);
  // Before the comparison, which sees nothing of a secret inside.
  if ((isNested(from) || from === null) && (isNested(to) || to === null)) return changesOf(from, to, `${field}.`);
  if (isDeepStrictEqual(from, to)) return [];
  const [olds, news] = [Array.isArray(from) ? from : [], Array.isArray(to) ? to : []];
  if (olds.length <= MAX_ENTRIES && news.length <= MAX_ENTRIES) return [{ field, from: short(from), to: short(to) }];
  return [{ field, added: missing(news, olds), removed: missing(olds, news) }];
}

/** Whether the value has fields of its own: an object, or a list of objects. */
function isNested(value: unknown): value is Record<string, unknown> {
  if (Array.isArray(value)) return value.some(isNested);
  return typeof value === "object" && value !== null && !(value instanceof Secret);
}

/** The entries of a list that the other does not have. */
function missing(list: unknown[], other: unknown[]): { count: number; first: unknown[] } {
  const known = new Set(other);
  const all = list.filter((entry) => !known.has(entry));
  return { count: all.length, first: all.slice(0, FIRST_ENTRIES).map((entry) => cutText(entry, MAX_ENTRY)) };
}

function short(value: unknown): unknown {
  return Array.isArray(value) ? value.map((entry) => cutText(entry, MAX_ENTRY)) : cutText(value, MAX_TEXT);
}

function cutText(value: unknown, most: number): unknown {
  return typeof value === "string" ? cut(value, most) : value;
}

function cut(text: string, most: number): string {
  // Half of a surrogate pair is not a character.
  return text.length <= most ? text : `${text.slice(0, most - 1).replace(/\p{Cs}$/u, "")}…`;
}

/** The changes of a request, as far as an event has room for them. */
export class ChangeList {
  /** Resources that the request created and changed. */
  created = 0;
  updated = 0;
  private readonly changes: AuditChange[] = [];
  private omitted = 0;
  private length = 0;

  /** Adds a change to one of many resources. */
  update({ id, name }: { id: string; name: string }, before: RecordedFields, after: RecordedFields): void {
    const resource = { id, name: cut(name, MAX_ENTRY) };
    this.updated += 1;
    this.add(changesOf(before, after).map((change) => ({ resource, ...change })));
  }

  add(changes: readonly AuditChange[]): void {
    for (const change of changes) {
      if (this.omitted === 0) this.length += JSON.stringify(change).length;
      if (this.changes.length < MAX_CHANGES && this.length <= MAX_LENGTH) this.changes.push(change);
      else this.omitted += 1;
    }
  }

  get isEmpty(): boolean {
    return this.changes.length + this.omitted === 0;
  }

  details() {
    return { changes: this.changes, ...(this.omitted > 0 && { changes_omitted: this.omitted }) };
  }
}

/**
 * Records in the event what changed, within the audited transaction. `name` is the resource's name before the change. Of a resource
 * that is created or deleted, the other state is null. `earlier` are changes of the same resource that the event already has. Returns
 * whether anything differs.
 */
export function recordChanges(
  event: AuditEventDraft,
  name: string,
  before: RecordedFields | null,
  after: RecordedFields | null,
  earlier: readonly AuditChange[] = [],
): boolean {
  const list = new ChangeList();
  list.add(earlier);
  list.add(changesOf(before, after));
  event.row.details = { ...event.row.details, resource_name: cut(name, MAX_TEXT), ...list.details() };
  return !list.isEmpty;
}

/** Names another resource that the request changed, so that the event belongs to its history too. */
export function alsoChanged(event: AuditEventDraft, id: string): void {
  const ids = (event.row.details?.resource_ids as string[] | undefined) ?? [];
  event.row.details = { ...event.row.details, resource_ids: [...ids, id] };
}

/** The same for a bulk request. */
export function recordBulkChanges(event: AuditEventDraft, list: ChangeList): void {
  const { created, updated } = list;
  event.row.details = { ...event.row.details, created, updated, ...list.details() };
}
