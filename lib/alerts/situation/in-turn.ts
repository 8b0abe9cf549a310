/**
 * The same in order, but beginning with a random one and with those before it last. For work with a limit of time, so that it does not
 * always leave out the same ones: a start by the clock would always be the same at a regular interval.
 */
export function inTurn<Item>(items: readonly Item[]): Item[] {
  const first = Math.floor(Math.random() * items.length);
  return [...items.slice(first), ...items.slice(0, first)];
}
