const MAX_LABELS = 6;
/** A label that begins further right would stand beyond the chart. */
const LAST_SHARE = 0.93;

/** Which of so many places along an axis are labelled: evenly from the first on, as far as there is room for the words. */
export function labelPlaces(count: number): number[] {
  const step = Math.max(1, Math.ceil(count / MAX_LABELS));
  return Array.from({ length: count }, (_, at) => at).filter((at) => at % step === 0 && at / count <= LAST_SHARE);
}
