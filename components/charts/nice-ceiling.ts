/** The next of 2, 3, 4, 5, 6, 8, 10, 20, 30, …: a round number that leaves little room above the values. */
export function niceCeiling(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return Math.max(2, ([1, 2, 3, 4, 5, 6, 8].find((step) => step * power >= value) ?? 10) * power);
}
