import { type Severity, severities } from "@/lib/certificates/findings";

/** The types of alert subjects. An `organization` represents unidentified callers, `audit_log` all events. */
export const subjectTypes = [
  "endpoint",
  "certificate",
  "monitor",
  "issuance",
  "api_key",
  "user",
  "organization",
  "audit_log",
  "destination",
] as const;

export interface Subject {
  type: (typeof subjectTypes)[number];
  id: string;
  name: string;
}

/** A match of a rule's condition. */
export interface Fact {
  subject: Subject;
  /** The certificate that it concerns, or null. */
  certificateId: string | null;
  /** Codes of findings, flags of events, … */
  causes: readonly string[];
  severity: Severity;
  /** Unix milliseconds; null if only the alert's own start is known. */
  since: number | null;
  /** Unix milliseconds; only for a cause that has ended. */
  until?: number | undefined;
  /** For people, as a sentence without a period. */
  detail: string;
  /** The certificate's validity in Unix milliseconds. */
  validity: { notBefore: number; notAfter: number } | null;
  /** Whether a failure of our own network would cause it, for many subjects at the same time. */
  isReachability: boolean;
}

/** The reached step of a rule and its severity. */
export interface Level {
  /** Counted from 0. */
  step: number;
  severity: Severity;
}

/** An alert between evaluations. Times in Unix milliseconds. */
export interface AlertState extends Level {
  id: string;
  subject: Subject;
  certificateId: string | null;
  causes: readonly string[];
  detail: string;
  isReachability: boolean;
  openedAt: number;
  /** When it was reopened last, from which its steps count; undefined if it was not. */
  reopenedAt?: number | undefined;
  resolvedAt: number | null;
  /** Who resolved it: the end of its cause, a person, or its rule by being disabled or deleted. */
  resolvedBy: "cause" | "person" | "rule" | null;
  /** Resolved by a person while its cause persists: it stays resolved until the cause has ended once or gets worse. */
  isMuted: boolean;
  /** Since when the cause has been absent; null while it is present. */
  absentSince: number | null;
  acknowledgedAt: number | null;
  acknowledgedBy: string | null;
  snoozedUntil: number | null;
  /** What channels were last notified of; null if of nothing or of the resolution. */
  told: (Level & { causes: readonly string[]; at: number }) | null;
  /** When a channel was last notified; null if no channel was enabled. Undefined in rows of older releases. */
  notifiedAt?: number | null | undefined;
  /** Ids of the channels that track incidents and were notified of it: they get its end, whatever the rule says then. */
  trackedBy?: readonly string[] | undefined;
  /** When the cause recently appeared or disappeared. */
  flips: readonly number[];
  isFlapping: boolean;
}

export const entryKinds = [
  "opened",
  "raised",
  "lowered",
  "cause_added",
  "cause_gone",
  "cause_back",
  "flapping",
  "acknowledged",
  "snoozed",
  "resolved",
  "reopened",
  "told",
  "note",
] as const;
export type EntryKind = (typeof entryKinds)[number];

/** An entry of an alert's timeline. */
export interface Entry {
  kind: EntryKind;
  details: Record<string, unknown>;
}

/** The key of a fact's alert within a rule: one alert per subject and certificate. */
export function keyOf({ subject, certificateId }: Pick<Fact, "subject" | "certificateId">): string {
  return `${subject.id} ${certificateId ?? ""}`;
}

export function isMoreSevere(one: Severity, other: Severity): boolean {
  return severities.indexOf(one) > severities.indexOf(other);
}

/** Whether `now` is worse than `then`: a later step, a higher severity or a new cause. */
export function isRise(now: Level & Pick<Fact, "causes">, then: Level & Pick<Fact, "causes">): boolean {
  return (
    now.step > then.step ||
    isMoreSevere(now.severity, then.severity) ||
    now.causes.some((cause) => !then.causes.includes(cause))
  );
}
