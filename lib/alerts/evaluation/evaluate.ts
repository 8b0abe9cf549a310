import {
  type AlertState,
  type Entry,
  type Fact,
  isMoreSevere,
  isRise,
  keyOf,
  type Level,
} from "@/lib/alerts/alert-state";
import { levelOf } from "@/lib/alerts/evaluation/level";
import type { EvaluatedRule } from "@/lib/alerts/rules/alert-rule";
import { isQuiet } from "@/lib/alerts/rules/quiet-hours";
import { MINUTE_MS } from "@/lib/time/units";

/** A cause that returns within this time after its alert was resolved reopens the alert. */
export const REOPEN_MS = 60 * MINUTE_MS;
/** Changes within an hour that count as flapping. A flapping alert stays open until its cause is stable for half an hour. */
const FLIPS = 5;
const FLIPS_WITHIN_MS = 60 * MINUTE_MS;
export const FLAP_QUIET_MS = 30 * MINUTE_MS;
/** The longest time that a mass failure holds notifications back, because successive failures could prolong it for hours. */
export const LONGEST_HOLD_MS = 5 * MINUTE_MS;

/** Why channels are notified. */
export type NotificationReason = "opened" | "raised" | "repeated" | "resolved";

/** The result of evaluating one alert. */
export interface Change {
  alert: AlertState;
  isNew: boolean;
  entries: Entry[];
  reason: NotificationReason | null;
}

export interface Circumstances {
  /** Unix milliseconds. */
  now: number;
  /** So many subjects became unreachable that our own network may be the reason: recent changes are not sent. */
  isMassFailure: boolean;
  /** The facts are from the past: alerts are not repeated, because they may have ended. */
  isPast?: boolean;
  /** Ids of subjects whose cause may be present or not: their alerts stay as they are. */
  unjudged?: ReadonlySet<string>;
  newId: () => string;
}

/** An alert during an evaluation. */
class Draft {
  readonly entries: Entry[] = [];
  reason: NotificationReason | null = null;

  constructor(
    public state: AlertState,
    readonly isNew: boolean,
    /** Whether its cause is present is not known, so it is not repeated. */
    readonly isUnjudged = false,
  ) {}

  note(kind: Entry["kind"], details: Entry["details"] = {}): void {
    this.entries.push({ kind, details });
  }
}

const union = (some: readonly string[], others: readonly string[]) => [...new Set([...some, ...others])];

const levelDetails = ({ step, severity }: Level, detail: string) => ({ step: step + 1, severity, detail });

/**
 * Evaluates a rule, given all matches of its condition and its alerts that are open, muted, unsent or were resolved within
 * REOPEN_MS. Pure: takes state and time, returns changed states and notifications. Alerts not in the result are unchanged.
 */
export function evaluate(
  rule: EvaluatedRule,
  facts: readonly Fact[],
  alerts: readonly AlertState[],
  circumstances: Circumstances,
): Change[] {
  const { now, unjudged, newId } = circumstances;
  const byKey = new Map(alerts.map((alert) => [keyOf(alert), alert]));
  const drafts: Draft[] = [];
  const present = new Set<string>();
  for (const fact of rule.enabled ? facts : []) {
    const key = keyOf(fact);
    const before = byKey.get(key);
    const began = before?.resolvedAt === null ? (before.reopenedAt ?? before.openedAt) : null;
    const level = levelOf(rule.steps, fact, began, now);
    if (level === null) continue;
    present.add(key);
    drafts.push(before === undefined ? opened(fact, level, now, newId()) : met(rule, before, fact, level, now));
  }
  for (const [key, alert] of byKey) {
    if (present.has(key)) continue;
    const isUnjudged = rule.enabled && unjudged?.has(alert.subject.id);
    drafts.push(isUnjudged ? new Draft(alert, false, true) : missed(rule, alert, now));
  }
  for (const draft of drafts) decideNotification(rule, draft, circumstances, repeatMs(rule));
  if (drafts.some(({ reason }) => reason === "repeated")) gatherRepeats(rule, drafts, circumstances);
  return drafts
    .filter(
      ({ state, isNew, entries, reason }) =>
        isNew || entries.length > 0 || reason !== null || state !== byKey.get(keyOf(state)),
    )
    .map(({ state, isNew, entries, reason }) => ({ alert: state, isNew, entries, reason }));
}

function opened(
  { subject, certificateId, causes, detail, isReachability }: Fact,
  level: Level,
  now: number,
  id: string,
) {
  const state: AlertState = {
    id,
    subject,
    certificateId,
    causes,
    detail,
    isReachability,
    ...level,
    openedAt: now,
    resolvedAt: null,
    resolvedBy: null,
    isMuted: false,
    absentSince: null,
    acknowledgedAt: null,
    acknowledgedBy: null,
    snoozedUntil: null,
    told: null,
    notifiedAt: null,
    flips: [now],
    isFlapping: false,
  };
  const draft = new Draft(state, true);
  draft.note("opened", levelDetails(level, detail));
  return draft;
}

/** Events do not appear and disappear, so they never flap. */
function flipped({ isOfEvents }: EvaluatedRule, { flips }: AlertState, now: number): readonly number[] {
  return isOfEvents ? flips : [...flips.filter((at) => now - at < FLIPS_WITHIN_MS), now];
}

/** Updates an alert whose cause is present. */
function met(rule: EvaluatedRule, before: AlertState, fact: Fact, level: Level, now: number): Draft {
  const draft = new Draft(before, false);
  const { detail, subject } = fact;
  const causes = rule.isOfEvents ? union(before.causes, fact.causes) : fact.causes;
  const found = { ...level, causes };
  if (before.isMuted && !isRise(found, before)) return draft;
  if (before.resolvedAt !== null) {
    draft.state = {
      ...before,
      ...found,
      detail,
      subject,
      reopenedAt: now,
      resolvedAt: null,
      resolvedBy: null,
      isMuted: false,
      absentSince: null,
      acknowledgedAt: null,
      acknowledgedBy: null,
      flips: flipped(rule, before, now),
    };
    draft.note("reopened", levelDetails(level, detail));
    return checkFlapping(draft);
  }
  const isBack = before.absentSince !== null;
  if (isBack) {
    draft.state = { ...draft.state, absentSince: null, flips: flipped(rule, before, now) };
    draft.note("cause_back", { detail });
  }
  if (before.isFlapping && !isBack && now - (before.flips.at(-1) ?? 0) >= FLAP_QUIET_MS) {
    draft.state = { ...draft.state, isFlapping: false };
  }
  const step = Math.max(before.step, level.step);
  const isHigher = step > before.step || isMoreSevere(level.severity, before.severity);
  const added = causes.filter((cause) => !before.causes.includes(cause));
  if (isHigher) draft.note("raised", levelDetails({ ...level, step }, detail));
  else if (isMoreSevere(before.severity, level.severity)) draft.note("lowered", levelDetails(level, detail));
  if (added.length > 0) draft.note("cause_added", { causes: added });
  const isSame =
    detail === before.detail && subject.name === before.subject.name && causes.length === before.causes.length;
  if (draft.entries.length === 0 && isSame) return draft;
  const isRisen = isHigher || added.length > 0;
  draft.state = {
    ...draft.state,
    step,
    severity: level.severity,
    causes,
    detail,
    subject,
    ...(isRisen && { acknowledgedAt: null, acknowledgedBy: null }),
  };
  return isBack ? checkFlapping(draft) : draft;
}

/** Updates an alert whose cause is absent. */
function missed(rule: EvaluatedRule, before: AlertState, now: number): Draft {
  const draft = new Draft(before, false);
  if (before.resolvedAt !== null) {
    if (before.isMuted) draft.state = { ...before, isMuted: false, absentSince: now };
    // Notify its end immediately: alerts of a deleted rule are not evaluated after their snooze.
    else if (!rule.enabled && before.snoozedUntil !== null) draft.state = { ...before, snoozedUntil: null };
    return draft;
  }
  if (!rule.enabled) return resolved(draft, "rule", now);
  if (before.absentSince === null) {
    draft.state = { ...before, absentSince: now, flips: flipped(rule, before, now) };
    if (!rule.isOfEvents) draft.note("cause_gone");
    checkFlapping(draft);
  }
  const { absentSince, isFlapping, told } = draft.state;
  const hold = Math.max(rule.resolveAfterMinutes * MINUTE_MS, isFlapping ? FLAP_QUIET_MS : 0);
  const isNotified = told !== null && !isRise(draft.state, told);
  const mustWait = rule.isOfEvents && !isNotified && before.acknowledgedAt === null;
  if (absentSince === null || now - absentSince < hold || mustWait) return draft;
  return resolved(draft, "cause", now);
}

/** A snooze outlasts the end of the cause, which may be short. */
function resolved(draft: Draft, by: "cause" | "rule", now: number): Draft {
  const { snoozedUntil } = draft.state;
  const ended = { resolvedAt: now, resolvedBy: by, snoozedUntil: by === "cause" ? snoozedUntil : null };
  draft.state = { ...draft.state, ...ended, isFlapping: false };
  draft.note("resolved", { by });
  return draft;
}

/** Call after a change of the cause, because only changes prune flips older than an hour. */
function checkFlapping(draft: Draft): Draft {
  if (!draft.state.isFlapping && draft.state.flips.length >= FLIPS) {
    draft.state = { ...draft.state, isFlapping: true };
    draft.note("flapping", { times: draft.state.flips.length });
  }
  return draft;
}

/** Whether notifications must wait. */
function isHeld(
  rule: EvaluatedRule,
  { severity, isReachability, snoozedUntil, flips }: AlertState,
  { now, isMassFailure }: Circumstances,
) {
  if (snoozedUntil !== null && now < snoozedUntil) return true;
  if (isMassFailure && isReachability && now - (flips.at(-1) ?? 0) < LONGEST_HOLD_MS) return true;
  const quiet = rule.quietHours;
  return quiet !== null && !(quiet.except_critical && severity === "critical") && isQuiet(quiet, now);
}

/** Milliseconds between two notifications of an alert that persists. */
const repeatMs = ({ repeatMinutes }: EvaluatedRule) =>
  repeatMinutes === null ? Number.POSITIVE_INFINITY : repeatMinutes * MINUTE_MS;

/** Repeats what is at least half due together with what is due: one message from then on, instead of one for each alert. */
function gatherRepeats(rule: EvaluatedRule, drafts: readonly Draft[], circumstances: Circumstances): void {
  for (const draft of drafts) {
    if (draft.reason === null) decideNotification(rule, draft, circumstances, repeatMs(rule) / 2);
  }
}

/** Decides whether to notify channels, and records the state that the notification has. It repeats what was sent so long ago. */
function decideNotification(
  rule: EvaluatedRule,
  draft: Draft,
  circumstances: Circumstances,
  repeatAfterMs: number,
): void {
  const { now } = circumstances;
  const { state } = draft;
  if (state.resolvedAt !== null && state.told !== null && !rule.sendResolved) {
    draft.state = { ...state, told: null };
    return;
  }
  if (isHeld(rule, state, circumstances)) return;
  const reason =
    state.resolvedAt === null
      ? notificationReasonOf(rule, state, now, repeatAfterMs)
      : state.told === null
        ? null
        : "resolved";
  // Until then a cause that returns reopens the alert, and sends nothing.
  if (reason === null && state.resolvedAt !== null && state.snoozedUntil !== null)
    draft.state = { ...state, snoozedUntil: null };
  if (reason === null || (reason === "repeated" && (circumstances.isPast || draft.isUnjudged))) return;
  const { step, severity, causes } = state;
  draft.reason = reason;
  draft.state = {
    ...state,
    told: reason === "resolved" ? null : { step, severity, causes: union(state.told?.causes ?? [], causes), at: now },
    snoozedUntil: null,
  };
}

function notificationReasonOf(
  { isOfEvents }: EvaluatedRule,
  state: AlertState,
  now: number,
  repeatAfterMs: number,
): NotificationReason | null {
  const { told, absentSince, acknowledgedAt, snoozedUntil, isFlapping } = state;
  if (acknowledgedAt !== null) return null;
  if (told === null) return absentSince === null || isOfEvents ? "opened" : null;
  if (isRise(state, told)) return "raised";
  if (absentSince !== null || isFlapping) return null;
  if (snoozedUntil !== null) return "repeated";
  return now - told.at >= repeatAfterMs ? "repeated" : null;
}
