import { decodePosition, encodeCursor, type Kind, NEVER } from "@/lib/http/cursor";
import type { Direction } from "@/lib/http/endpoint";

/** A sort order of a list, over columns that identify each row uniquely; `Where` and `OrderBy` are Prisma's. */
interface PageOrder<Row, Where, OrderBy> {
  orderBy: OrderBy[];
  /** The kinds of a position's parts. */
  kinds: readonly Kind[];
  /** The position of a row, for a page that ends with it. */
  position: (row: Row) => string[];
  /** The condition for rows after a position. */
  after: (position: readonly string[]) => Where;
}

/** The direction of an order without a choice. */
export function usualDirection(sort: string): Direction {
  return sort === "newest" || sort === "discovered" ? "desc" : "asc";
}

/** What a cursor is bound to: in the usual direction the sort alone, as in the previous release. */
export function sortBound(sort: string, direction: Direction): string {
  return direction === usualDirection(sort) ? sort : `${sort} ${direction}`;
}

/** The urgency of rows that are older than its column, until the worker fills it in. */
const UNFILLED_URGENCY = 9;

/**
 * The condition for rows of a status by its place among the statuses, which the index of the order by urgency begins with. It also finds
 * rows whose urgency is not filled in yet, of any status.
 */
export function atUrgencyOf<Status>(byUrgency: readonly Status[], status: Status): { in: number[] } {
  return { in: [byUrgency.indexOf(status) + 1, UNFILLED_URGENCY] };
}

/**
 * The order by these columns, all in one direction, which an index on the organization and them serves from either end. Together the
 * columns must identify a row. Only those of kinds with `never` may be null; no index serves them, so they are for short lists.
 */
export function orderBy<Row, Where, OrderBy>(
  columns: Readonly<Record<string, Kind>>,
  direction: Direction,
): PageOrder<Row, Where, OrderBy> {
  const names = Object.keys(columns);
  const kinds = Object.values(columns);
  return {
    orderBy: names.map((name, at) => ({ [name]: ordered(kinds[at], direction) })) as OrderBy[],
    kinds,
    position: (row) => names.map((name) => textOf((row as Record<string, unknown>)[name])),
    after: (position) => {
      const values = names.map(
        (name, at): ColumnPosition => ({ name, kind: kinds[at], value: parsed(kinds[at], position[at]) }),
      );
      return following<Where>(values, direction);
    },
  };
}

/** PostgreSQL sorts null after all values, in reverse before them. */
function ordered(kind: Kind | undefined, direction: Direction) {
  if (kind !== "never or time") return direction;
  return { sort: direction, nulls: direction === "asc" ? "first" : "last" };
}

function textOf(value: unknown): string {
  if (value === null) return NEVER;
  return value instanceof Date ? value.toISOString() : String(value);
}

type Value = string | number | Date | null;

/** The value of a column at the end of a page. */
interface ColumnPosition {
  name: string;
  kind: Kind | undefined;
  value: Value;
}

function parsed(kind: Kind | undefined, text = ""): Value {
  switch (kind) {
    case "time":
      return new Date(text);
    case "time or never":
    case "never or time":
      return text === NEVER ? null : new Date(text);
    case "digit":
      return Number(text);
    default:
      return text;
  }
}

/** A Prisma `where` for the rows after these values in the order of these columns. */
function following<Where>(positions: readonly ColumnPosition[], direction: Direction): Where {
  const [first] = positions;
  const where = {
    // The first column narrows the range for the index; OR filters the rows exactly.
    ...(first && !isNullable(first) && { [first.name]: { [direction === "asc" ? "gte" : "lte"]: first.value } }),
    OR: positions.flatMap((position, at) => {
      const same = Object.fromEntries(positions.slice(0, at).map(({ name, value }) => [name, value]));
      return beyond(position, direction).map((condition) => ({ ...same, [position.name]: condition }));
    }),
  };
  return where as Where;
}

const isNullable = ({ kind }: ColumnPosition) => kind === "time or never" || kind === "never or time";

/** The conditions, of which one must hold, for values of a column after this one. */
function beyond(position: ColumnPosition, direction: Direction): unknown[] {
  const { kind, value } = position;
  const isNullAhead = isNullable(position) && (kind === "time or never") === (direction === "asc");
  if (value === null) return isNullAhead ? [] : [{ not: null }];
  const after = direction === "asc" ? { gt: value } : { lt: value };
  return isNullAhead ? [after, null] : [after];
}

/** Reads a page of a list. `bound`: the filters that the cursor is bound to. Throws 400. */
export async function readPage<Row, Where, OrderBy>(
  order: PageOrder<Row, Where, OrderBy>,
  { limit, cursor }: { limit: number; cursor: string | undefined },
  bound: unknown,
  read: (asked: { after: Where | undefined; orderBy: OrderBy[]; take: number }) => Promise<Row[]>,
): Promise<{ rows: Row[]; nextCursor: string | null }> {
  const after = cursor === undefined ? undefined : order.after(decodePosition(cursor, bound, order.kinds));
  const found = await read({ after, orderBy: order.orderBy, take: limit + 1 });
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return { rows, nextCursor: found.length > limit && last ? encodeCursor(order.position(last), bound) : null };
}
