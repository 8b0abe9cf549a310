import { type Severity, severities } from "@/lib/certificates/findings";

/** What an alert is about. An `organization` stands for callers that nobody could name. */
export const subjectTypes = [
  "endpoint",
  "certificate",
  "monitor",
  "issuance",
  "api_key",
  "user",
  "organization",
] as const;

export interface Subject {
  type: (typeof subjectTypes)[number];
  id: string;
  name: string;
}

/** Something that a rule's condition meets now. */
export interface Fact {
  subject: Subject;
  /** Of the certificate that it is about; null where it is about none. */
  certificateId: string | null;
  /** What was found: codes of findings, flags of events, … */
  causes: readonly string[];
  severity: Severity;
  /** Unix milliseconds; null where only the alert's own beginning can tell. */
  since: number | null;
  /** Unix milliseconds; only of what is over. */
  until?: number | undefined;
  /** For people, in a sentence without an end. */
  detail: string;
  /** Of the certificate, in Unix milliseconds. */
  validity: { notBefore: number; notAfter: number } | null;
  /** A failure of our own network would look like it, for many at once. */
  isReachability: boolean;
}

/** How far a rule's steps have been gone, and how grave it is. */
export interface Level {
  /** From 0 on. */
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
  resolvedAt: number | null;
  /** Who ended it: its cause by going away, a person, or its rule by being disabled or deleted. */
  resolvedBy: "cause" | "person" | "rule" | null;
  /** A person resolved it while its cause lasts: it stays so until the cause has been gone, or grows. */
  isMuted: boolean;
  /** Since when the cause is gone; null while it is there. */
  absentSince: number | null;
  acknowledgedAt: number | null;
  acknowledgedBy: string | null;
  snoozedUntil: number | null;
  /** What the channels know; null where they know of nothing, or that it is over. */
  told: (Level & { causes: readonly string[]; at: number }) | null;
  /** When, of late, the cause came or went. */
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

/** One line of an alert's timeline. */
export interface Entry {
  kind: EntryKind;
  details: Record<string, unknown>;
}

/** Which alert a fact belongs to, within a rule: one per subject and certificate. */
export function keyOf({ subject, certificateId }: Pick<Fact, "subject" | "certificateId">): string {
  return `${subject.id} ${certificateId ?? ""}`;
}

export function isGraver(one: Severity, other: Severity): boolean {
  return severities.indexOf(one) > severities.indexOf(other);
}

/** Whether `now` is more than `then`: a later step, graver, or with a cause that was not there. */
export function isRise(now: Level & Pick<Fact, "causes">, then: Level & Pick<Fact, "causes">): boolean {
  return (
    now.step > then.step ||
    isGraver(now.severity, then.severity) ||
    now.causes.some((cause) => !then.causes.includes(cause))
  );
}
