import type { Selector } from "@/lib/alert-selectors/selector";
import type { Subject } from "@/lib/alerts/alert-state";
import type { Condition } from "@/lib/alerts/rules/conditions";
import type { Flag } from "@/lib/audit-logs/flags";
import type { FindingCode, Severity } from "@/lib/certificates/findings";
import type { FailureReason } from "@/lib/uptime/failure-reasons";

/** The input of rules: an organization's state at one time. Times in Unix milliseconds. */
export interface Situation {
  organizationId: string;
  now: number;
  findings: readonly OpenFinding[];
  issuances: readonly ReportedIssuance[];
  validities: readonly Validity[];
  incidents: readonly Incident[];
  slow: readonly Slow[];
  /** Monitors with too few successful checks to judge their response times: alerts about these stay as they are. */
  unjudged: readonly Unjudged[];
  /** Since the previous evaluation. */
  events: readonly FlaggedEvents[];
  /** In the windows of conditions about the number of events. */
  eventCounts: readonly EventCount[];
  /** What is wrong with the sealed log. */
  logFaults: readonly LogFault[];
  /** How far destinations are behind the log. */
  destinationLags: readonly DestinationLag[];
}

/** What the audit log contributes to a situation. */
export type LogFacts = Pick<Situation, "events" | "eventCounts" | "logFaults" | "destinationLags">;

/** For rules that are not about the audit log. */
export const NO_LOG_FACTS: LogFacts = { events: [], eventCounts: [], logFaults: [], destinationLags: [] };

/** What rules about response times need. */
export interface Latencies extends Pick<Situation, "slow" | "unjudged"> {
  /** `keyOfTerms` of the rules for which response times were read. */
  measured: readonly string[];
}

/** For rules that are not about response times. */
export const NO_LATENCIES: Latencies = { slow: [], unjudged: [], measured: [] };

/** What is read before the transaction of an evaluation, because it may take long. */
export type ReadBefore = LogFacts & Latencies;

/** Findings and incidents that ended since the previous evaluation, in the order in which they ended. */
export type Ended = Pick<Situation, "findings" | "incidents">;

export interface OpenFinding {
  id: string;
  endpointId: string;
  endpointName: string;
  tags: string[];
  certificateId: string | null;
  code: FindingCode;
  severity: Severity;
  openedAt: number;
  /** Null while it is open. */
  closedAt: number | null;
}

/** A finding about a certificate from certificate transparency. */
export interface ReportedIssuance {
  id: string;
  domainId: string;
  code: "issuer_unexpected" | "issuance_unauthorized";
  names: string[];
  issuer: string;
  since: number;
}

export interface Validity {
  subject: Subject;
  certificateId: string;
  tags: string[];
  notBefore: number;
  notAfter: number;
}

export interface Incident {
  id: string;
  monitorId: string;
  name: string;
  tags: string[];
  reason: FailureReason;
  startedAt: number;
  /** Null while it is open. */
  endedAt: number | null;
}

export interface Slow {
  monitorId: string;
  name: string;
  tags: string[];
  /** Of the rule. */
  windowMinutes: number;
  /** Minutes that the median covers: the window, or more if the monitor is checked rarely. */
  ofMinutes: number;
  medianMs: number;
}

/** A monitor whose response times are not known in a window. */
export type Unjudged = Pick<Slow, "monitorId" | "tags" | "windowMinutes">;

/** Identifies a condition by its content. */
export const keyOfCondition = (condition: Condition) => JSON.stringify(condition);

/** Identifies a rule by its condition and what it selects. */
export const keyOfTerms = ({ condition, selector }: { condition: Condition; selector: Selector }) =>
  JSON.stringify([keyOfCondition(condition), selector.tags, selector.ids]);

/** Maximum number of events that match a condition in any of its windows that ended since the previous evaluation. */
export interface EventCount {
  /** `keyOfCondition` of the condition. */
  key: string;
  count: number;
  /** There are more; counting was stopped. */
  isMore: boolean;
}

/** Something wrong with the sealed log, for people as a sentence without a period. */
export interface LogFault {
  cause: "self_check_failed" | "sealing_behind" | "signing_refused" | "witness_silent";
  detail: string;
}

export interface DestinationLag {
  id: string;
  name: string;
  /** Signed entries that are not sent, and since when the first of them is sealed, in seconds. */
  entries: number;
  seconds: number;
  /** Why Sealwatch paused it; null if it did not. */
  pausedReason: string | null;
  /** Why the last attempt failed; null if it did not. */
  failure: string | null;
}

/** Whether what was read includes the rule's own count, or its response times. True for rules that need neither. */
export function isRead(
  rule: { condition: Condition; selector: Selector },
  { eventCounts, measured }: Pick<ReadBefore, "eventCounts" | "measured">,
): boolean {
  if (rule.condition.type === "latency") return measured.includes(keyOfTerms(rule));
  return rule.condition.type !== "event_count" || eventCounts.some(({ key }) => key === keyOfCondition(rule.condition));
}

/** Events of one caller. */
export interface FlaggedEvents {
  subject: Subject;
  flags: Flag[];
  count: number;
  addresses: string[];
  /** Addresses that tried an old secret of the key and are not its own clients'. */
  strangers?: string[];
}
