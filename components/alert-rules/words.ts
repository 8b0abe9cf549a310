import type { KnownValues } from "@/components/audit-logs/filters/filter-fields";
import { filterWords, inDisplayOrder } from "@/components/audit-logs/filters/filter-words";
import type { Condition, Selector, Step } from "@/lib/alerts/rules/conditions";
import { flagLabels } from "@/lib/audit-logs/flag-labels";
import { findingLabels, severityLabels } from "@/lib/certificates/finding-labels";
import { type FindingCode, reachabilityCodes } from "@/lib/certificates/findings";
import { formatCount, plural } from "@/lib/text/counts";
import { inSentence } from "@/lib/text/labels";

export const conditionWords: Record<Condition["type"], string> = {
  finding: "A problem with a certificate or endpoint",
  time_left: "A certificate expires soon",
  monitor_down: "A monitor is down",
  latency: "A monitor responds slowly",
  security_event: "A security event in the audit log",
  event_count: "Entries in the audit log match a filter",
  log_integrity: "The audit log is not intact",
  destination_lag: "A destination of the audit log is behind",
};

/** The type of subject that the IDs of a rule refer to. */
export const subjectsOf: Record<Condition["type"], string> = {
  finding: "endpoints",
  time_left: "endpoints",
  monitor_down: "monitors",
  latency: "monitors",
  security_event: "API keys",
  event_count: "entries",
  log_integrity: "entries",
  destination_lag: "destinations",
};

/** A number of what a condition considers: `1 endpoint`. */
export function subjectCount(type: Condition["type"], count: number): string {
  const many = subjectsOf[type];
  return plural(count, many === "entries" ? "entry" : many.slice(0, -1), many);
}

const titles = (codes: readonly (keyof typeof findingLabels)[]) => codes.map((code) => findingLabels[code]).join(", ");

const MAX_NAMED = 4;

const isReachability = (code: FindingCode) => (reachabilityCodes as readonly FindingCode[]).includes(code);

/** The findings to leave out, the first few. Codes for endpoints out of reach count as one problem. */
function exceptWords(codes: readonly FindingCode[]): string {
  const isWhole = reachabilityCodes.every((code) => codes.includes(code));
  const named = codes
    .filter((code) => !isWhole || !isReachability(code))
    .map((code) => inSentence(findingLabels[code]));
  if (isWhole) named.push("unreachable");
  return [...named.slice(0, MAX_NAMED), ...(named.length > MAX_NAMED ? ["…"] : [])].join(", ");
}

/** The condition of a rule in one line. */
export function conditionSummary(condition: Condition): string {
  switch (condition.type) {
    case "finding": {
      const { codes, except_codes, severity } = condition;
      const least = severity === "info" ? "" : ` (${inSentence(severityLabels[severity])} or higher)`;
      if (codes.length === reachabilityCodes.length && codes.every(isReachability)) return `Unreachable${least}`;
      if (codes.length > 3) return `Any of ${codes.length} problems${least}`;
      if (codes.length > 0) return titles(codes) + least;
      if (except_codes.length === 0) return `Any problem${least}`;
      return `${severity === "info" ? "Any problem" : `${severityLabels[severity]} or higher`}, except: ${exceptWords(except_codes)}`;
    }
    case "time_left":
      return "Certificate expires soon";
    case "monitor_down":
      return "Monitor down";
    case "log_integrity":
      return "Self-check failed, sealing behind, signing refused or a witness silent";
    case "destination_lag":
      return `An entry not sent for ${minuteWords(condition.minutes)}, or paused`;
    case "latency":
      return `Median above ${formatCount(condition.above_ms)} ms over ${condition.window_minutes} min`;
    case "security_event":
      return condition.flags.map((flag) => flagLabels[flag]).join(", ");
    case "event_count":
      return `${plural(condition.count, "matching entry", "matching entries")} within ${minuteWords(condition.window_minutes)}`;
  }
}

/** The scope of a rule in one line. `known` has the names of keys and members. */
export function appliesTo(
  { condition, selector }: { condition: Condition; selector: Selector },
  known: KnownValues,
): string {
  const what = subjectsOf[condition.type];
  if (condition.type === "event_count") return logFilterWords(condition.query, known);
  const parts = [
    ...(selector.tags.length > 0 ? [`tagged ${selector.tags.join(" or ")}`] : []),
    ...(selector.ids.length > 0 ? [`${selector.ids.length} selected`] : []),
  ];
  return parts.length === 0 ? `All ${what}` : `${what.charAt(0).toUpperCase()}${what.slice(1)} ${parts.join(", or ")}`;
}

/** Filters of the audit log in one line, as their tokens say: `key ci-deploy, status 4xx`. */
function logFilterWords(query: Record<string, string | undefined>, known: KnownValues): string {
  const filters = Object.entries(inDisplayOrder(query)).map(([name, text]) => {
    const { label, words } = filterWords(name, text, known);
    return `${label} ${words}`;
  });
  return filters.length === 0 ? "All entries" : filters.join(", ");
}

/** The channels that a rule notifies, in one line. */
export function notifies(steps: readonly Pick<Step, "channel_ids">[], names: ReadonlyMap<string, string>): string {
  if (steps.some(({ channel_ids }) => channel_ids.length === 0)) return "All channels";
  const ids = [...new Set(steps.flatMap(({ channel_ids }) => channel_ids))];
  return ids.map((id) => names.get(id) ?? "unknown channel").join(", ");
}

/** The durations to choose from, in minutes, including the chosen one. */
export function minuteChoices(offered: readonly number[], chosen: number | null): { minutes: number; words: string }[] {
  const all = chosen === null || offered.includes(chosen) ? offered : [...offered, chosen].sort((a, b) => a - b);
  return all.map((minutes) => ({ minutes, words: minuteWords(minutes) }));
}

/** `45 minutes`, `4 hours`, `1 day`. */
function minuteWords(minutes: number): string {
  if (minutes > 0 && minutes % 1440 === 0) return plural(minutes / 1440, "day");
  if (minutes > 0 && minutes % 60 === 0) return plural(minutes / 60, "hour");
  return plural(minutes, "minute");
}

/** How many of the newest subjects or channels the editor lists. */
export const MAX_CHOICES = 200;

/** When a step is reached: `7 days before expiry`, `after 5 minutes`, `immediately`. */
export function stepWords({
  after_minutes,
  days_left,
  share_left,
}: Pick<Step, "after_minutes" | "days_left" | "share_left">): string {
  const days = days_left === null ? [] : [plural(days_left, "day")];
  const share = share_left === null ? [] : [`${Number((share_left * 100).toFixed(2))}% of the lifetime`];
  const left = [...days, ...share];
  if (left.length > 0) return `${left.join(" or ")} before expiry${left.length > 1 ? ", whichever is less" : ""}`;
  return after_minutes === 0 ? "immediately" : `after ${minuteWords(after_minutes)}`;
}
