import { setImmediate as nextTurn } from "node:timers/promises";

/** How long work may run before it yields to other work, in milliseconds. */
const TURN_MS = 5;
const PART_SIZE = 100;

/** `nextTurn()` resolves after all other pending work of this process has had a turn. */
export { nextTurn };

/** Calls `read` for a limited number of items at a time and returns all results: processing many rows in one turn blocks other requests. */
export async function readInParts<Item, Found>(
  items: readonly Item[],
  read: (part: Item[]) => Promise<Found[]>,
): Promise<Found[]> {
  const found: Found[] = [];
  for (let at = 0; at < items.length; at += PART_SIZE) {
    for (const each of await read(items.slice(at, at + PART_SIZE))) found.push(each);
  }
  return found;
}

/** `items.map(work)` for many items, in sequence; other requests are served in between. */
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
