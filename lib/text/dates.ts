/** English names of the months, abbreviated, January first. */
export const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** The UTC day of an instant (Unix milliseconds), as `2026-11-21`. */
export function utcDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
