import { DAY_MS } from "@/lib/time/units";
import { lastDaysStart } from "@/lib/uptime/window";

/** Time ranges that end now; `ms` is their length in milliseconds. */
export const presets = [
  { value: "24h", label: "24 hours", ms: DAY_MS },
  { value: "7d", label: "7 days", ms: 7 * DAY_MS },
  { value: "30d", label: "30 days", ms: 30 * DAY_MS },
  { value: "90d", label: "90 days", ms: 90 * DAY_MS },
] as const;

export type Preset = (typeof presets)[number]["value"];

const UNIT_MS: Record<string, number> = { h: DAY_MS / 24, d: DAY_MS };

export interface Range {
  /** Null if the URL asks for a different range. */
  preset: Preset | null;
  /** Unix milliseconds. */
  since: number;
  until: number | undefined;
}

/**
 * The time range that the URL asks for: `range`, such as `6h`, `30d` or `all`, or `since` and `until`; by default the preset
 * `usual`.
 */
export function readRange(params: Record<string, string>, now: number, usual: Preset): Range {
  const [since, until] = [params.since, params.until].map((text) => Date.parse(text ?? ""));
  if (since !== undefined && !Number.isNaN(since)) {
    const isUntil = until !== undefined && until > since;
    return { preset: null, since, until: isUntil ? until : undefined };
  }
  const [, count = "", unit = ""] = /^(\d{1,4})([hd])$/.exec(params.range ?? "") ?? [];
  const asked = Number(count) * (UNIT_MS[unit] ?? 0);
  if (params.range === "all") return { preset: null, since: 0, until: undefined };
  const preset = presets.find(({ value, ms }) => (asked > 0 ? ms === asked : value === usual));
  return { preset: preset?.value ?? null, since: now - (preset?.ms ?? asked), until: undefined };
}

/** The range with a preset of several days in whole UTC days, including today, as uptime and certificates are counted by day. */
export function inWholeDays(range: Range, now: number): Range {
  const days = (presets.find(({ value }) => value === range.preset)?.ms ?? 0) / DAY_MS;
  return days > 1 ? { ...range, since: lastDaysStart(days, now) } : range;
}

/** The URL of the audit log with exactly the entries that a figure over `stats` counts. */
export function entriesHref(stats: { since: string; until: string }, filters: Record<string, string> = {}): string {
  return `/audit-logs?${new URLSearchParams({ ...filters, since: stats.since, until: stats.until })}`;
}
