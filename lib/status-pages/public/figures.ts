import { counted } from "@/lib/text/counts";
import { MONTHS } from "@/lib/text/dates";
import type { UptimeDay } from "@/lib/uptime/checks/days";
import { uptimePercent } from "@/lib/uptime/window";

/** The uptime of the last `count` of these days, in percent; null without checks. */
export function uptimeOf(days: readonly UptimeDay[], count: number): number | null {
  const last = days.slice(-count);
  const sum = (of: "checks" | "failures") => last.reduce((total, day) => total + day[of], 0);
  return uptimePercent(sum("checks"), sum("failures"));
}

/** A UTC day: `21 Nov 2026`. */
export function utcDate(time: number): string {
  const date = new Date(time);
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

/** A UTC time to the minute: `21 Nov 2026, 14:31 UTC`. */
export function utcMinute(time: number): string {
  return `${utcDate(time)}, ${new Date(time).toISOString().slice(11, 16)} UTC`;
}

/** How long a certificate stays valid, in words. */
export function certificateWords(daysLeft: number): string {
  if (daysLeft < 0) return "Certificate expired";
  return `Certificate valid for ${daysLeft} ${counted(daysLeft, "day")}`;
}
