import * as z from "zod";
import { weekdays } from "@/lib/alerts/rules/weekdays";
import { securityFlags } from "@/lib/audit-logs/flags";
import { writtenFilters } from "@/lib/audit-logs/written-filters";
import { findingCodes, severities } from "@/lib/certificates/findings";
import { id } from "@/lib/http/endpoint";
import { whole } from "@/lib/http/schemas/whole-number";

const severity = z.enum(severities);
const codes = z.array(z.enum(findingCodes)).max(findingCodes.length);

const { since, until, ...eventFilters } = writtenFilters;

/** The condition of an alert rule. */
export const condition = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("finding"),
    codes: codes.default([]).describe("Any of these findings; empty for all findings."),
    except_codes: codes.default([]).describe("Findings to exclude."),
    severity: severity.default("warning").describe("Minimum severity."),
  }),
  z.strictObject({ type: z.literal("time_left") }).describe("The steps define the remaining time of a certificate."),
  z.strictObject({ type: z.literal("monitor_down") }),
  z.strictObject({
    type: z.literal("latency"),
    above_ms: whole(1, 60_000).describe("Median response time in the window, in milliseconds."),
    window_minutes: whole(1, 60)
      .default(15)
      .describe(
        "Minutes before now; at least four intervals of the monitor. Fewer than three successful checks are not judged.",
      ),
  }),
  z.strictObject({
    type: z.literal("security_event"),
    flags: z.array(z.enum(securityFlags)).min(1, "must have at least one flag").max(securityFlags.length),
  }),
  z
    .strictObject({
      type: z.literal("event_count"),
      query: z
        .strictObject(eventFilters)
        .describe("Filters as in the query of GET /audit-logs, without `since` and `until`."),
      count: whole(1, 10_000).default(1).describe("The least number of matching events within the window."),
      window_minutes: whole(5, 1_440).default(60),
    })
    .describe("The number of events in the audit log that match the filters within a window that ends now."),
  z
    .strictObject({ type: z.literal("log_integrity") })
    .describe(
      "The last self-check of the sealed log failed, an event has waited for 60 seconds to be sealed or then to be signed, signing is refused, or a witness has cosigned nothing for a day.",
    ),
  z
    .strictObject({
      type: z.literal("destination_lag"),
      minutes: whole(1, 10_080).default(15).describe("How long an entry may wait to be sent."),
    })
    .describe("A destination of the audit log has not sent an entry for this long, or Sealwatch paused it."),
]);
export type Condition = z.output<typeof condition>;
export const conditionTypes = [
  "finding",
  "time_left",
  "monitor_down",
  "latency",
  "security_event",
  "event_count",
  "log_integrity",
  "destination_lag",
] as const;

/** The types of conditions about the audit log rather than monitored state. */
export const eventConditions: readonly Condition["type"][] = [
  "security_event",
  "event_count",
  "log_integrity",
  "destination_lag",
];

/** Whether a condition is about the audit log rather than monitored state. */
export function isAboutEvents(type: Condition["type"]): boolean {
  return eventConditions.includes(type);
}

export const selector = z.strictObject({
  tags: z
    .array(z.string().max(50))
    .max(20, "must have at most 20 tags")
    .default([])
    .describe("Resources with any of these tags."),
  ids: z
    .array(id)
    .max(200, "must have at most 200 ids")
    .default([])
    .describe(
      "Ids of endpoints, certificates, monitors, domains, API keys or destinations. With tags, a resource needs to match only one of the two.",
    ),
});
export type Selector = z.output<typeof selector>;

export const step = z.strictObject({
  after_minutes: whole(0, 43_200).default(0).describe("Minutes that the cause must persist."),
  days_left: z.number().min(0, "must not be negative").max(1000, "must be at most 1000").nullable().default(null),
  share_left: z
    .number()
    .min(0, "must be from 0 to 1")
    .max(1, "must be from 0 to 1")
    .nullable()
    .default(null)
    .describe("Share of the certificate's lifetime. With `days_left`, whichever is less."),
  severity: severity.nullable().default(null).describe("Null for the severity of the cause."),
  channel_ids: z
    .array(id)
    .max(20, "must have at most 20 channels")
    .default([])
    .describe("Channels to notify from this step on; empty for all enabled channels."),
});
export type Step = z.output<typeof step>;

const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "must be a time such as 22:00");

export const quietHours = z
  .strictObject({
    start: clock,
    end: clock.describe("On the next day if it is not after `start`."),
    days: z
      .array(z.enum(weekdays))
      .min(1, "must have at least one day")
      .default([...weekdays])
      .describe("The days on which quiet hours start."),
    time_zone: z.string().refine((zone) => {
      try {
        new Intl.DateTimeFormat("en-GB", { timeZone: zone });
        return true;
      } catch {
        return false;
      }
    }, "must be an IANA time zone such as Europe/Berlin"),
    except_critical: z.boolean().default(true).describe("Whether critical alerts are sent anyway."),
  })
  .describe("Nothing is sent during quiet hours; alerts that still apply are sent when they end.");
export type QuietHours = z.output<typeof quietHours>;

/** A rule without its name. */
export interface RuleTerms {
  selector: Selector;
  condition: Condition;
  steps: readonly Step[];
}

/** Inconsistencies of a rule, by field. */
export function faultsOf({ selector, condition, steps }: RuleTerms): { path: string; message: string }[] {
  const faults: { path: string; message: string }[] = [];
  const fault = (path: string, message: string) => faults.push({ path, message });
  const { type } = condition;
  if (type === "security_event" && selector.tags.length > 0) fault("selector.tags", "must be empty: keys have no tags");
  if (type === "destination_lag" && selector.tags.length > 0)
    fault("selector.tags", "must be empty: destinations have no tags");
  if (type === "event_count" && selector.tags.length + selector.ids.length > 0)
    fault("selector", "must be empty: the filters of the condition select the events");
  if (type === "log_integrity" && selector.tags.length + selector.ids.length > 0)
    fault("selector", "must be empty: the condition is about the whole log");
  for (const [at, { after_minutes, days_left, share_left, severity }] of steps.entries()) {
    const path = (name: string) => `steps.${at}.${name}`;
    const before = steps[at - 1];
    if (type === "time_left") {
      if (days_left === null && share_left === null) fault(path("days_left"), "is required unless share_left is given");
      if (after_minutes > 0) fault(path("after_minutes"), "must be 0, because this condition depends on the time left");
      const isLess = (now: number | null, then: number | null | undefined) =>
        now === null || then === null || then === undefined || now <= then;
      if (!isLess(days_left, before?.days_left)) fault(path("days_left"), "must not be more than in the previous step");
      if (!isLess(share_left, before?.share_left))
        fault(path("share_left"), "must not be more than in the previous step");
    } else {
      if (days_left !== null) fault(path("days_left"), "is only allowed for conditions about the time left");
      if (share_left !== null) fault(path("share_left"), "is only allowed for conditions about the time left");
      if (before && after_minutes <= before.after_minutes)
        fault(path("after_minutes"), "must be more than in the previous step");
    }
    if ((type === "latency" || isAboutEvents(type)) && at === 0 && after_minutes > 0) {
      fault(path("after_minutes"), "must be 0 in the first step of this condition");
    }
    if (severity === null && (type === "time_left" || type === "latency" || isAboutEvents(type))) {
      fault(path("severity"), "is required for this condition");
    }
    const grave = (each: Step["severity"] | undefined) => severities.indexOf(each ?? "info");
    if (severity !== null && grave(severity) < grave(before?.severity)) {
      fault(path("severity"), "must not be lower than in the previous step");
    }
  }
  return faults;
}
