import { isSelected } from "@/lib/alert-selectors/selector";
import type { Fact } from "@/lib/alerts/alert-state";
import type { Condition, Selector, Step } from "@/lib/alerts/rules/conditions";
import { isWanted } from "@/lib/alerts/rules/covers";
import {
  type DestinationLag,
  type EventCount,
  type FlaggedEvents,
  keyOfCondition,
  type ReportedIssuance,
  type Situation,
  type Slow,
  type Validity,
} from "@/lib/alerts/situation/situation";
import { flagLabels } from "@/lib/audit-logs/flag-labels";
import { findingLabels } from "@/lib/certificates/finding-labels";
import { mostSevere, reachabilityCodes, type Severity } from "@/lib/certificates/findings";
import { counted, formatCount, plural } from "@/lib/text/counts";
import { inSentence, withoutPeriod } from "@/lib/text/labels";
import { DAY_MS } from "@/lib/time/units";
import { failureReasonLabels } from "@/lib/uptime/labels";

/** A duration such as `6 days` or `14 hours`, possibly negative. */
function span(ms: number): string {
  const [size, unit] = Math.abs(ms) >= 2 * DAY_MS ? [DAY_MS, "days"] : [3_600_000, "hours"];
  return `${Math.floor(Math.abs(ms) / size)} ${unit}`;
}

/** Maps all reachability findings to one cause, because checks of one outage can fail in different ways. */
const causeOf = (code: string) => ((reachabilityCodes as readonly string[]).includes(code) ? "unreachable" : code);

/** All matches of a rule's condition in a situation: at most one fact per subject and certificate. */
export function factsOf(
  { selector, condition, steps }: { selector: Selector; condition: Condition; steps: readonly Step[] },
  situation: Situation,
): Fact[] {
  switch (condition.type) {
    case "finding":
      return [...findingFacts(selector, condition, situation), ...issuanceFacts(selector, condition, situation)];
    case "time_left":
      return situation.validities.flatMap((each) => validityFact(selector, each, situation.now));
    case "monitor_down":
      return situation.incidents
        .filter(({ monitorId, tags }) => isSelected(selector, [monitorId], tags))
        .map(({ monitorId, name, startedAt, endedAt, reason }) => ({
          subject: { type: "monitor", id: monitorId, name },
          certificateId: null,
          causes: ["monitor_down"],
          severity: "critical",
          since: startedAt,
          ...(endedAt !== null && { until: endedAt }),
          detail: `down: ${inSentence(failureReasonLabels[reason])}`,
          validity: null,
          isReachability: true,
        }));
    case "latency":
      return situation.slow
        .filter((slow) => slow.windowMinutes === condition.window_minutes && slow.medianMs > condition.above_ms)
        .filter(({ monitorId, tags }) => isSelected(selector, [monitorId], tags))
        .map(slowFact);
    case "security_event":
      return situation.events
        .map((events) => ({
          ...events,
          flags: events.flags.filter((flag) => (condition.flags as string[]).includes(flag)),
        }))
        .filter(({ subject, flags }) => flags.length > 0 && isSelected(selector, [subject.id], []))
        .map((events) => eventFact(events, steps[0]?.severity ?? "warning"));
    case "event_count":
      return situation.eventCounts
        .filter(({ key, count }) => key === keyOfCondition(condition) && count >= condition.count)
        .map((counted) => countFact(counted, condition.window_minutes, situation.organizationId));
    case "log_integrity":
      return situation.logFaults.length === 0 ? [] : [integrityFact(situation)];
    case "destination_lag":
      return situation.destinationLags
        .filter(({ id }) => isSelected(selector, [id], []))
        .filter(({ seconds, pausedReason }) => pausedReason !== null || seconds >= 60 * condition.minutes)
        .map((lag) => lagFact(lag, condition.minutes));
  }
}

/** The subjects of a rule that can be neither matches nor others now. */
export function unjudgedSubjects(
  { selector, condition }: { selector: Selector; condition: Condition },
  { unjudged }: Situation,
): ReadonlySet<string> {
  if (condition.type !== "latency") return new Set();
  const own = unjudged.filter(({ windowMinutes }) => windowMinutes === condition.window_minutes);
  const selected = own.filter(({ monitorId, tags }) => isSelected(selector, [monitorId], tags));
  return new Set(selected.map(({ monitorId }) => monitorId));
}

type Lasting = Pick<Fact, "since" | "until">;

/** The times of the longer duration, so that an ended cause does not make a current one appear older. */
function longest(one: Lasting, other: Lasting | undefined, now: number): Lasting {
  const lasts = ({ since, until }: Lasting) => (until ?? now) - (since ?? now);
  const { since, until } = other === undefined || lasts(one) > lasts(other) ? one : other;
  return { since, until };
}

function findingFacts(
  selector: Selector,
  condition: Extract<Condition, { type: "finding" }>,
  { findings, now }: Situation,
): Fact[] {
  const facts = new Map<string, Fact>();
  for (const finding of findings) {
    const { endpointId, code, tags } = finding;
    if (!isWanted(condition, code, finding.severity)) continue;
    if (!isSelected(selector, [endpointId, finding.certificateId ?? ""], tags)) continue;
    const isReachability = causeOf(code) === "unreachable";
    const certificateId = isReachability ? null : finding.certificateId;
    const key = `${endpointId} ${certificateId}`;
    const before = facts.get(key);
    const label = inSentence(findingLabels[code]);
    facts.set(key, {
      subject: { type: "endpoint", id: endpointId, name: finding.endpointName },
      certificateId,
      causes: [...new Set([...(before?.causes ?? []), causeOf(code)])].sort(),
      severity: mostSevere([finding.severity, ...(before ? [before.severity] : [])]) ?? finding.severity,
      ...longest({ since: finding.openedAt, until: finding.closedAt ?? undefined }, before, now),
      detail: before ? `${before.detail}, ${label}` : label,
      validity: null,
      isReachability: false,
    });
  }
  return [...facts.values()];
}

/** What is said about an issuance, and how severe it is. */
const issuanceWords: Record<ReportedIssuance["code"], { severity: Severity; says: (issuer: string) => string }> = {
  issuer_unexpected: { severity: "warning", says: (issuer) => `issued by the unexpected issuer ${issuer}` },
  issuance_unauthorized: { severity: "critical", says: (issuer) => `issued by ${issuer} without authorization` },
};

/** One fact per certificate, so that each new certificate is notified. */
function issuanceFacts(
  selector: Selector,
  condition: Extract<Condition, { type: "finding" }>,
  { issuances, now }: Situation,
): Fact[] {
  const facts = new Map<string, Fact>();
  for (const { id, domainId, code, names, issuer, since } of issuances) {
    const { severity, says } = issuanceWords[code];
    if (!isWanted(condition, code, severity) || !isSelected(selector, [domainId, id], [])) continue;
    const before = facts.get(id);
    facts.set(id, {
      subject: {
        type: "issuance",
        id,
        name: names.length > 1 ? `${names[0]} and ${names.length - 1} more` : `${names[0]}`,
      },
      certificateId: null,
      causes: [...new Set([...(before?.causes ?? []), code])].sort(),
      severity: mostSevere([severity, ...(before ? [before.severity] : [])]) ?? severity,
      ...longest({ since }, before, now),
      detail: before ? `${before.detail}, ${says(issuer)}` : says(issuer),
      validity: null,
      isReachability: false,
    });
  }
  return [...facts.values()];
}

function validityFact(
  selector: Selector,
  { subject, certificateId, tags, notBefore, notAfter }: Validity,
  now: number,
): Fact[] {
  if (!isSelected(selector, [subject.id, certificateId], tags)) return [];
  const left = notAfter - now;
  return [
    {
      subject,
      certificateId,
      causes: ["time_left"],
      severity: "info",
      since: null,
      detail: left > 0 ? `${span(left)} left` : `expired ${span(left)} ago`,
      validity: { notBefore, notAfter },
      isReachability: false,
    },
  ];
}

function slowFact({ monitorId, name, medianMs, ofMinutes }: Slow): Fact {
  return {
    subject: { type: "monitor", id: monitorId, name },
    certificateId: null,
    causes: ["latency"],
    severity: "warning",
    since: null,
    detail: `responds in ${Math.round(medianMs)} ms (median of ${ofMinutes} min)`,
    validity: null,
    isReachability: false,
  };
}

/** ` from` the first three addresses, unrecognized ones first. */
function fromWords(addresses: readonly string[], strangers: readonly string[]): string {
  if (addresses.length === 0) return "";
  const words = [...addresses]
    .sort((a, b) => Number(strangers.includes(b)) - Number(strangers.includes(a)))
    .slice(0, 3)
    .map((address) => (strangers.includes(address) ? `${address} (unrecognized)` : address));
  const leak = strangers.length > 0 ? ": the secret may have leaked" : "";
  return ` from ${words.join(", ")}${addresses.length > 3 ? ", …" : ""}${leak}`;
}

function eventFact({ subject, flags, count, addresses, strangers = [] }: FlaggedEvents, severity: Severity): Fact {
  const sorted = [...flags].sort();
  const labels = sorted.map((flag) => inSentence(flagLabels[flag]));
  return {
    subject,
    certificateId: null,
    causes: sorted,
    severity,
    since: null,
    detail: `${labels.join(", ")}${count > 1 ? ` (${count} times)` : ""}${fromWords(addresses, strangers)}`,
    validity: null,
    isReachability: false,
  };
}

/** What an alert about the whole audit log has. */
const ofLog = (organizationId: string) =>
  ({
    subject: { type: "audit_log", id: organizationId, name: "Audit log" },
    certificateId: null,
    severity: "warning",
    since: null,
    validity: null,
    isReachability: false,
  }) satisfies Partial<Fact>;

function integrityFact({ logFaults, organizationId }: Situation): Fact {
  return {
    ...ofLog(organizationId),
    causes: logFaults.map(({ cause }) => cause).sort(),
    detail: logFaults.map(({ detail }) => detail).join("; "),
  };
}

function lagFact({ id, name, entries, seconds, pausedReason, failure }: DestinationLag, minutes: number): Fact {
  const isBehind = seconds >= 60 * minutes;
  const behind = `${plural(entries, "entry", "entries")} not sent, the first for ${spanOfMinutes(seconds)}`;
  const why = pausedReason === null ? failure && `: ${inSentence(failure)}` : `; paused: ${inSentence(pausedReason)}`;
  return {
    subject: { type: "destination", id, name },
    certificateId: null,
    causes: [...(isBehind ? ["destination_behind"] : []), ...(pausedReason === null ? [] : ["destination_paused"])],
    severity: "warning",
    since: null,
    detail: withoutPeriod(`${behind}${why ?? ""}`),
    validity: null,
    isReachability: false,
  };
}

function spanOfMinutes(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes >= 120) return span(seconds * 1000);
  return minutes === 1 ? "1 minute" : `${minutes} minutes`;
}

function countFact({ count, isMore }: EventCount, windowMinutes: number, organizationId: string): Fact {
  const number = `${isMore ? "more than " : ""}${formatCount(count)}`;
  return {
    ...ofLog(organizationId),
    causes: ["event_count"],
    detail: `${number} matching ${counted(count, "entry", "entries")} within ${windowMinutes} min`,
  };
}
