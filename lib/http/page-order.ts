import { decodePosition, encodeCursor, type Kind } from "@/lib/http/cursor";
import type { Direction } from "@/lib/http/endpoint";

/** A sort order of a list, over columns that identify each row uniquely; `Where` and `OrderBy` are Prisma's. */
export interface PageOrder<Row, Where, OrderBy> {
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
  return sort === "newest" ? "desc" : "asc";
}

/** What a cursor is bound to: in the usual direction the sort alone, as in the previous release. */
export function sortBound(sort: string, direction: Direction): string {
  return direction === usualDirection(sort) ? sort : `${sort} ${direction}`;
}

/**
 * The order by these columns, all in one direction, which an index on the organization and them serves from either end. The columns
 * must not be null, and together they must identify a row.
 */
export function orderBy<Row, Where, OrderBy>(
  columns: Readonly<Record<string, Kind>>,
  direction: Direction,
): PageOrder<Row, Where, OrderBy> {
  const names = Object.keys(columns);
  const kinds = Object.values(columns);
  return {
    orderBy: names.map((name) => ({ [name]: direction })) as OrderBy[],
    kinds,
    position: (row) => names.map((name) => textOf((row as Record<string, unknown>)[name])),
    after: (position) => {
      const values = names.map((name, at) => [name, parsed(kinds[at], position[at] ?? "")]);
      return following<Where>(Object.fromEntries(values), direction);
    },
  };
}

function textOf(value: unknown): string {
  return value instanceof Date ? value.toISOString() : String(value);
}

function parsed(kind: Kind | undefined, text: string): string | number | Date {
  if (kind === "time") return new Date(text);
  return kind === "digit" ? Number(text) : text;
}

/** A Prisma `where` for the rows after these values in the order of these columns. */
function following<Where>(columns: Readonly<Record<string, string | number | Date>>, direction: Direction): Where {
  const [beyond, from] = direction === "asc" ? ["gt", "gte"] : ["lt", "lte"];
  const all = Object.entries(columns);
  const [first] = all;
  const where = {
    // The first column narrows the range for the index; OR filters the rows exactly.
    ...(first && { [first[0]]: { [from]: first[1] } }),
    OR: all.map(([name, value], at) => ({ ...Object.fromEntries(all.slice(0, at)), [name]: { [beyond]: value } })),
  };
  return where as Where;
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
