/** The next of 2, 4, 6, 8, 10, 20, 40, …, so that half of it is a whole number too. */
export function niceCeiling(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return Math.max(2, ([1, 2, 4, 6, 8].find((step) => step * power >= value) ?? 10) * power);
}
