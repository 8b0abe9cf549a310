import { inWholeDays, type Preset, presets, readRange } from "@/components/statistics/range";

/** The ranges for figures by day. */
export const longRanges = presets.filter(({ value }) => value !== "24h");

/** The range that the URL asks for, by default 30 days, as the analytics functions take it. */
export function readLongRange(params: Record<string, string>): {
  preset: Preset | null;
  since: number;
  until?: number;
} {
  const now = Date.now();
  const { preset, since, until } = inWholeDays(readRange(params, now, "30d"), now);
  return { preset, since, ...(until !== undefined && { until }) };
}
