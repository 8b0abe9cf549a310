import { formatCount } from "@/lib/text/counts";

const UNITS = ["B", "KiB", "MiB", "GiB", "TiB"];

/** A size with its unit: `3.4 GiB`. */
export function sizeWords(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** step;
  return `${step === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[step]}`;
}

/** A duration in seconds with its unit: `3 s`, `12 min`, `5 h`, `3 days`. */
export function lagWords(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} days`;
}

/** A number with separators: `1,234,567`. */
export function countWords(count: number): string {
  return formatCount(Math.round(count));
}
