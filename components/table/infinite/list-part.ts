/** A part of a long list; `next` is where the following part begins, null at the end of the list. */
export interface ListPart<Item, Place> {
  items: Item[];
  next: Place | null;
}

/** The list with a further part at its end, without duplicates: an item may have moved between two reads. */
export function joinPart<Item extends { id: string }, Place>(
  items: readonly Item[],
  part: ListPart<Item, Place>,
): ListPart<Item, Place> {
  const known = new Set(items.map(({ id }) => id));
  return { items: [...items, ...part.items.filter(({ id }) => !known.has(id))], next: part.next };
}

/** Reads on after `first` until the list has at least `count` items, or ends. */
export async function readUpTo<Item extends { id: string }, Place>(
  count: number,
  first: ListPart<Item, Place>,
  read: (place: Place) => Promise<ListPart<Item, Place>>,
): Promise<ListPart<Item, Place>> {
  let list = first;
  while (list.next !== null && list.items.length < count) list = joinPart(list.items, await read(list.next));
  return list;
}
