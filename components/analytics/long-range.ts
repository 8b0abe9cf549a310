import { type Preset, presets, readRange } from "@/components/statistics/range";

/** Stretches that make sense of figures by day. */
export const longRanges = presets.filter(({ value }) => value !== "24h");

/** The stretch of time that an address asks for, 30 days unless it does; as the verbs of the analytics take it. */
export function readLongRange(params: Record<string, string>): {
  preset: Preset | null;
  since: number;
  until?: number;
} {
  const { preset, since, until } = readRange(params, Date.now(), "30d");
  return { preset, since, ...(until !== undefined && { until }) };
}
