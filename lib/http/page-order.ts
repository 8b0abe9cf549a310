import { decodePosition, encodeCursor, type Kind } from "@/lib/http/cursor";

/** An order that a list can be asked for, over columns that tell any two rows apart; `Where` and `OrderBy` are Prisma's. */
export interface PageOrder<Row, Where, OrderBy> {
  orderBy: OrderBy[];
  /** Of the parts of a position. */
  kinds: readonly Kind[];
  /** Where a page that ends with this row ends. */
  position: (row: Row) => string[];
  /** What follows a position. */
  after: (position: readonly string[]) => Where;
}

/** By id, of which later ones are greater. */
export const newestFirst = {
  orderBy: [{ id: "desc" as const }],
  kinds: ["id"] as const,
  position: ({ id }: { id: string }) => [id],
  after: ([id = ""]: readonly string[]) => ({ id: { lt: id } }),
};

/** What follows these values where a list ascends by these columns, as a `where` of Prisma's. */
export function following<Where>(columns: Readonly<Record<string, string | number | Date>>): Where {
  const all = Object.entries(columns);
  const [first] = all;
  const where = {
    // The index begins there; the rest is told apart row by row.
    ...(first && { [first[0]]: { gte: first[1] } }),
    OR: all.map(([name, value], at) => ({ ...Object.fromEntries(all.slice(0, at)), [name]: { gt: value } })),
  };
  return where as Where;
}

/** A page of a list in an order. `bound`: what else the cursor holds for. Throws 400. */
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
