const MAX_LABELS = 6;
/** A label that starts further right would extend beyond the chart. */
const LAST_SHARE = 0.93;

/** The positions along an axis that get a label: evenly spaced from the first, as far as the text fits. */
export function labelPositions(count: number): number[] {
  const step = Math.max(1, Math.ceil(count / MAX_LABELS));
  return Array.from({ length: count }, (_, at) => at).filter((at) => at % step === 0 && at / count <= LAST_SHARE);
}
