import { plural } from "@/components/time/time-format";
import type { Condition, Selector, Step } from "@/lib/alerts/rules/conditions";
import { findingLabels, severityLabels } from "@/lib/certificates/finding-labels";
import { inSentence } from "@/lib/labels";

export const conditionWords: Record<Condition["type"], string> = {
  finding: "A problem with a certificate or endpoint",
  time_left: "A certificate has little time left",
  monitor_down: "A monitor is down",
  latency: "A monitor answers slowly",
  security_event: "Something suspicious in the audit log",
};

/** What the ids of a rule are of. */
export const subjectsOf: Record<Condition["type"], string> = {
  finding: "endpoints",
  time_left: "endpoints",
  monitor_down: "monitors",
  latency: "monitors",
  security_event: "API keys",
};

const titles = (codes: readonly (keyof typeof findingLabels)[]) => codes.map((code) => findingLabels[code]).join(", ");

/** What a rule looks for, in a line. */
export function looksFor(condition: Condition): string {
  switch (condition.type) {
    case "finding": {
      const { codes, except_codes, severity } = condition;
      const least = severity === "info" ? "" : ` (${inSentence(severityLabels[severity])} or graver)`;
      if (codes.length > 3) return `Any of ${codes.length} problems${least}`;
      if (codes.length > 0) return titles(codes) + least;
      return except_codes.length > 0
        ? `Any problem but ${plural(except_codes.length, "kind")}${least}`
        : `Any problem${least}`;
    }
    case "time_left":
      return "Little time left";
    case "monitor_down":
      return "Down";
    case "latency":
      return `Median above ${condition.above_ms} ms over ${condition.window_minutes} min`;
    case "security_event":
      return condition.flags.join(", ");
  }
}

/** What a rule is about, in a line. */
export function about({ condition, selector }: { condition: Condition; selector: Selector }): string {
  const what = subjectsOf[condition.type];
  const parts = [
    ...(selector.tags.length > 0 ? [`tagged ${selector.tags.join(" or ")}`] : []),
    ...(selector.ids.length > 0 ? [`${selector.ids.length} chosen`] : []),
  ];
  return parts.length === 0 ? `All ${what}` : `${what.charAt(0).toUpperCase()}${what.slice(1)} ${parts.join(", or ")}`;
}

/** Whom a rule tells, in a line. */
export function tells(steps: readonly Pick<Step, "channel_ids">[], names: ReadonlyMap<string, string>): string {
  if (steps.some(({ channel_ids }) => channel_ids.length === 0)) return "Every channel";
  const ids = [...new Set(steps.flatMap(({ channel_ids }) => channel_ids))];
  return ids.map((id) => names.get(id) ?? "a channel").join(", ");
}

/** Lengths of time that a rule is offered, in minutes; `now` names none at all. */
export function minuteChoices(offered: readonly number[], chosen: number | null): { minutes: number; words: string }[] {
  const all = chosen === null || offered.includes(chosen) ? offered : [...offered, chosen].sort((a, b) => a - b);
  return all.map((minutes) => ({ minutes, words: minuteWords(minutes) }));
}

/** `45 minutes`, `4 hours`, `1 day`. */
export function minuteWords(minutes: number): string {
  if (minutes > 0 && minutes % 1440 === 0) return plural(minutes / 1440, "day");
  if (minutes > 0 && minutes % 60 === 0) return plural(minutes / 60, "hour");
  return plural(minutes, "minute");
}

/** So many of the newest are offered to choose from. */
export const MAX_CHOICES = 200;
