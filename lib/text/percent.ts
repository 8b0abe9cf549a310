/** A share in percent: `29.2%`, `5.0%`, `0%`, `100%`, `< 0.1%`. One digit, so that columns align. */
export function percent(count: number, total: number): string {
  const share = total === 0 ? 0 : (100 * count) / total;
  if (share > 0 && share < 0.1) return "< 0.1%";
  if (share < 100 && share > 99.9) return "> 99.9%";
  return `${share === 0 || share === 100 ? share : share.toFixed(1)}%`;
}
