import { decodePosition, encodeCursor, type Kind } from "@/lib/http/cursor";

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

/** By id; newer ids are greater. */
export const newestFirst = {
  orderBy: [{ id: "desc" as const }],
  kinds: ["id"] as const,
  position: ({ id }: { id: string }) => [id],
  after: ([id = ""]: readonly string[]) => ({ id: { lt: id } }),
};

/** A Prisma `where` for the rows after these values in ascending order of these columns. */
export function following<Where>(columns: Readonly<Record<string, string | number | Date>>): Where {
  const all = Object.entries(columns);
  const [first] = all;
  const where = {
    // The first column narrows the range for the index; OR filters the rows exactly.
    ...(first && { [first[0]]: { gte: first[1] } }),
    OR: all.map(([name, value], at) => ({ ...Object.fromEntries(all.slice(0, at)), [name]: { gt: value } })),
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
