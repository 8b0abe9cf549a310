/** How long work goes on before it lets others go first, in milliseconds. */
const TURN_MS = 5;
const PART = 100;

/** Resolves after everything else that waits for this process had its turn. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** `read` of so many items at a time, all that it found: what is made of many rows at once keeps others waiting. */
export async function readInParts<Item, Found>(
  items: readonly Item[],
  read: (part: Item[]) => Promise<Found[]>,
): Promise<Found[]> {
  const found: Found[] = [];
  for (let at = 0; at < items.length; at += PART) {
    for (const each of await read(items.slice(at, at + PART))) found.push(each);
  }
  return found;
}

/** `items.map(work)` for many items, one after the other, with other requests served in between. */
export async function mapInTurns<Item, Result>(
  items: readonly Item[],
  work: (item: Item, index: number) => Result | Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let began = performance.now();
  for (const [index, item] of items.entries()) {
    results.push(await work(item, index));
    if (performance.now() - began < TURN_MS) continue;
    await nextTurn();
    began = performance.now();
  }
  return results;
}
