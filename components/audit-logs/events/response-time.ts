/** A response time as figures, in milliseconds with one digit after the point. */
export function responseTime(milliseconds: number): string {
  return milliseconds.toLocaleString("en-GB", { minimumFractionDigits: 1, maximumFractionDigits: 1 });
}
