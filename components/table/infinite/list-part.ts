/** A part of a long list; `next` is where the following part begins, null at the end of the list. */
export interface ListPart<Item, Cursor> {
  items: Item[];
  next: Cursor | null;
}

/** The list with a further part at its end, without duplicates: an item may have moved between two reads. */
export function joinPart<Item extends { id: string }, Cursor>(
  items: readonly Item[],
  part: ListPart<Item, Cursor>,
): ListPart<Item, Cursor> {
  const known = new Set(items.map(({ id }) => id));
  return { items: [...items, ...part.items.filter(({ id }) => !known.has(id))], next: part.next };
}

/** Reads on after `first` until the list has at least `count` items, or ends. */
export async function readUpTo<Item extends { id: string }, Cursor>(
  count: number,
  first: ListPart<Item, Cursor>,
  read: (cursor: Cursor) => Promise<ListPart<Item, Cursor>>,
): Promise<ListPart<Item, Cursor>> {
  let list = first;
  while (list.next !== null && list.items.length < count) list = joinPart(list.items, await read(list.next));
  return list;
}
