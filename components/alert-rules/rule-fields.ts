import { inDisplayOrder } from "@/components/audit-logs/filters/filter-words";
import { logFilters } from "@/components/audit-logs/filters/written-query";
import { sentNumber, sentNumberOrNull } from "@/components/requests/sent-number";
import type { Condition, QuietHours, Step } from "@/lib/alerts/rules/conditions";
import type { AlertRule } from "@/lib/alerts/rules/contract";
import type { FindingCode, Severity } from "@/lib/certificates/findings";

type Flag = Extract<Condition, { type: "security_event" }>["flags"][number];
export type ConditionType = Condition["type"];

/** One step as its controls hold it. Empty text means that the value is not set. */
export interface StepFields {
  /** The React list key; not sent to the API. */
  key: number;
  afterMinutes: string;
  daysLeft: string;
  sharePercent: string;
  severity: Severity | "";
  channels: readonly string[];
}

/** A rule as the editor holds it. */
export interface RuleFields {
  name: string;
  type: ConditionType;
  severity: Severity;
  /** Which findings match: all, only `codes`, or all except `codes`. */
  which: "any" | "only" | "except";
  codes: readonly FindingCode[];
  aboveMs: string;
  windowMinutes: string;
  flags: readonly Flag[];
  /** The filters of the audit log that are counted. */
  logFilters: Record<string, string>;
  count: string;
  countMinutes: string;
  lagMinutes: string;
  tags: string;
  ids: readonly string[];
  steps: readonly StepFields[];
  repeatMinutes: number | null;
  resolveAfterMinutes: number;
  sendResolved: boolean;
  isQuiet: boolean;
  quiet: QuietHours;
}

const step: StepFields = { key: 0, afterMinutes: "0", daysLeft: "", sharePercent: "", severity: "", channels: [] };

const quiet: QuietHours = {
  start: "22:00",
  end: "07:00",
  days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"],
  time_zone: "UTC",
  except_critical: true,
};

/** The initial fields of a new rule, for a reader in this time zone. */
export function newRule(zone: string): RuleFields {
  return {
    name: "",
    type: "finding",
    severity: "warning",
    which: "any",
    codes: [],
    aboveMs: "1000",
    windowMinutes: "15",
    flags: ["rotated_secret", "new_country"],
    logFilters: {},
    count: "1",
    countMinutes: "60",
    lagMinutes: "15",
    tags: "",
    ids: [],
    steps: [step],
    repeatMinutes: null,
    resolveAfterMinutes: 5,
    sendResolved: true,
    isQuiet: false,
    quiet: { ...quiet, time_zone: zone },
  };
}

/** The initial fields of an existing rule. */
export function fieldsOf(rule: AlertRule, zone: string): RuleFields {
  const fields = newRule(zone);
  const { condition } = rule;
  return {
    ...fields,
    name: rule.name,
    type: condition.type,
    ...(condition.type === "finding" && findingFields(condition)),
    ...(condition.type === "latency" && {
      aboveMs: String(condition.above_ms),
      windowMinutes: String(condition.window_minutes),
    }),
    ...(condition.type === "security_event" && { flags: condition.flags }),
    ...(condition.type === "event_count" && {
      logFilters: inDisplayOrder(condition.query),
      count: String(condition.count),
      countMinutes: String(condition.window_minutes),
    }),
    ...(condition.type === "destination_lag" && { lagMinutes: String(condition.minutes) }),
    tags: rule.selector.tags.join(", "),
    ids: rule.selector.ids,
    steps: rule.steps.map(stepFields),
    repeatMinutes: rule.repeat_minutes,
    resolveAfterMinutes: rule.resolve_after_minutes,
    sendResolved: rule.send_resolved,
    isQuiet: rule.quiet_hours !== null,
    quiet: rule.quiet_hours ?? fields.quiet,
  };
}

/** The initial fields of a rule about entries that match filters of the audit log, written as in its URL. */
export function ruleAbout(filters: string, zone: string): RuleFields {
  const fields = newRule(zone);
  const type = "event_count";
  return { ...fields, type, logFilters: logFilters(filters), steps: stepsFor(type, fields.steps) };
}

function findingFields({ codes, except_codes, severity }: Extract<Condition, { type: "finding" }>) {
  if (codes.length > 0) {
    const only = codes.filter((code) => !except_codes.includes(code));
    return { severity, which: "only" as const, codes: only };
  }
  return { severity, which: except_codes.length > 0 ? ("except" as const) : ("any" as const), codes: except_codes };
}

function stepFields(each: Step, key: number): StepFields {
  return {
    key,
    afterMinutes: String(each.after_minutes),
    daysLeft: each.days_left === null ? "" : String(each.days_left),
    // 0.07 × 100 is 7.000000000000001.
    sharePercent: each.share_left === null ? "" : String(Number((each.share_left * 100).toFixed(6))),
    severity: each.severity ?? "",
    channels: each.channel_ids,
  };
}

/** A step after the last one: 30 minutes later, with half the time left. */
export function nextStep(steps: readonly StepFields[]): StepFields {
  const last = steps.at(-1) ?? step;
  const half = (text: string) => (text === "" ? "" : String(Math.floor(Number(text) / 2) || 1));
  return {
    ...last,
    key: Math.max(0, ...steps.map(({ key }) => key)) + 1,
    afterMinutes: String((Number(last.afterMinutes) || 0) + 30),
    daysLeft: half(last.daysLeft),
    sharePercent: half(last.sharePercent),
  };
}

/** Adapts the steps to another type of condition: clears values that it does not use, and fills those it requires. */
export function stepsFor(type: ConditionType, steps: readonly StepFields[]): StepFields[] {
  let before = 0;
  return steps.map((each, at) => {
    const after = Number(each.afterMinutes) || 0;
    // Latency and security events have no start time, so the first step is immediate. Each step comes after the one before.
    before = at > 0 ? Math.max(after, before + 30) : needsSeverity(type) ? 0 : after;
    return {
      ...each,
      afterMinutes: type === "time_left" ? "0" : String(before),
      daysLeft: type === "time_left" ? each.daysLeft || String(Math.max(1, 14 - 7 * at)) : "",
      sharePercent: type === "time_left" ? each.sharePercent : "",
      severity: each.severity === "" && needsSeverity(type) ? "warning" : each.severity,
    };
  });
}

/** The other steps, of which the first is immediate where its control is hidden. */
export function withoutStep(type: ConditionType, steps: readonly StepFields[], key: number): StepFields[] {
  const others = steps.filter((each) => each.key !== key);
  return others.map((each, at) => (at === 0 && isImmediate(type) ? { ...each, afterMinutes: "0" } : each));
}

/** Whether the matches of this condition have no severity of their own. */
export function needsSeverity(type: ConditionType): boolean {
  return type === "time_left" || isImmediate(type);
}

/** Whether the matches of this condition have no start time, so that the first step is immediate. */
export function isImmediate(type: ConditionType): boolean {
  return type === "latency" || isAboutLog(type);
}

/** Whether a condition is about the whole audit log, so that its rule selects nothing. */
export function isAboutWholeLog(type: ConditionType): boolean {
  return type === "event_count" || type === "log_integrity";
}

/** Whether a condition is about audit log entries. */
function isAboutLog(type: ConditionType): boolean {
  return type === "security_event" || type === "destination_lag" || isAboutWholeLog(type);
}

function entries(text: string): string[] {
  return text.split(/[\s,]+/).filter((entry) => entry !== "");
}

function conditionOf(fields: RuleFields) {
  switch (fields.type) {
    case "finding":
      return {
        type: "finding" as const,
        severity: fields.severity,
        codes: fields.which === "only" ? [...fields.codes] : [],
        except_codes: fields.which === "except" ? [...fields.codes] : [],
      };
    case "latency":
      return {
        type: "latency" as const,
        above_ms: sentNumber(fields.aboveMs),
        window_minutes: sentNumber(fields.windowMinutes),
      };
    case "security_event":
      return { type: "security_event" as const, flags: [...fields.flags] };
    case "event_count":
      return {
        type: "event_count" as const,
        query: fields.logFilters,
        count: sentNumber(fields.count),
        window_minutes: sentNumber(fields.countMinutes),
      };
    case "destination_lag":
      return { type: "destination_lag" as const, minutes: sentNumber(fields.lagMinutes) };
    case "time_left":
    case "monitor_down":
    case "log_integrity":
      return { type: fields.type };
  }
}

function stepOf(each: StepFields) {
  const share = sentNumberOrNull(each.sharePercent);
  return {
    after_minutes: sentNumber(each.afterMinutes),
    days_left: sentNumberOrNull(each.daysLeft),
    share_left: typeof share === "number" ? share / 100 : share,
    severity: each.severity === "" ? null : each.severity,
    channel_ids: [...each.channels],
  };
}

/** The input for the API. */
export function sentOf(fields: RuleFields) {
  return {
    name: fields.name,
    condition: conditionOf(fields),
    selector: {
      tags: isAboutLog(fields.type) ? [] : entries(fields.tags),
      ids: isAboutWholeLog(fields.type) ? [] : [...fields.ids],
    },
    steps: fields.steps.map(stepOf),
    repeat_minutes: fields.repeatMinutes,
    resolve_after_minutes: fields.resolveAfterMinutes,
    send_resolved: fields.sendResolved,
    quiet_hours: fields.isQuiet ? fields.quiet : null,
  };
}
