import { HOUR_MS } from "@/lib/time/units";

/** Selectable ranges of time up to now, in milliseconds; null for all retained events. */
export const ranges = [
  { value: "15m", label: "Last 15 minutes", ms: HOUR_MS / 4 },
  { value: "1h", label: "Last hour", ms: HOUR_MS },
  { value: "6h", label: "Last 6 hours", ms: 6 * HOUR_MS },
  { value: "24h", label: "Last 24 hours", ms: 24 * HOUR_MS },
  { value: "7d", label: "Last 7 days", ms: 168 * HOUR_MS },
  { value: "30d", label: "Last 30 days", ms: 720 * HOUR_MS },
  { value: "all", label: "All retained entries", ms: null },
] as const;

export type Range = (typeof ranges)[number]["value"];
export const DEFAULT_RANGE: Range = "24h";
