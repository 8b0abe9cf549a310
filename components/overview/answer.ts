import { oldSecretsHref } from "@/components/api-keys/old-secrets/words";
import { formatSpan } from "@/components/time/time-format";
import type { Changes } from "@/lib/analytics/changes";
import { type CurrentState, EXPIRY_DAYS } from "@/lib/analytics/current-state";
import type { Leak, Leaks } from "@/lib/api-keys/old-secrets/leaks";
import { formatCount, plural } from "@/lib/text/counts";

/** A part of the sentence, and the page about it. */
export interface AnswerPart {
  words: string;
  href: string;
}

export interface Answer {
  /** What is wrong, most urgent first; empty if nothing is. */
  problems: AnswerPart[];
  /** Said if nothing is wrong, else null; `isGood` if something was checked. */
  calm: { words: string; isGood: boolean } | null;
  /** What could not be checked, else null. */
  caveat: string | null;
}

/** The state of everything in one sentence; `now` in Unix milliseconds. */
export function answerOf(state: CurrentState, now: number): Answer {
  const { endpoints, monitors, unchecked, down, unreachable, critical, leaks, openAlerts } = state;
  const counted = (count: number, words: string, href: string) => (count > 0 ? [{ words, href }] : []);
  const problems = [
    ...counted(down, `${plural(down, "monitor")} down`, "/uptime?status=down"),
    ...expiryParts(state, now),
    ...counted(unreachable, `${plural(unreachable, "endpoint")} unreachable`, "/certificates?status=unreachable"),
    ...counted(
      critical,
      `${plural(critical, "endpoint")} with another critical problem`,
      "/certificates?status=critical",
    ),
    ...leakParts(leaks?.found ?? []),
    ...counted(openAlerts, `${plural(openAlerts, "open alert")}`, "/alerts"),
  ];
  const watched = [
    ...(endpoints > 0 ? [plural(endpoints, "endpoint")] : []),
    ...(monitors > 0 ? [plural(monitors, "monitor")] : []),
  ];
  return {
    problems,
    calm: problems.length === 0 ? calmOf(watched.join(", "), endpoints + monitors, unchecked) : null,
    caveat: caveatOf(leaks),
  };
}

function caveatOf(leaks: Leaks | null): string | null {
  if (leaks === null) return "The audit log is unavailable, so uses of old secrets are not known.";
  return leaks.isComplete ? null : "Too many old secrets are tried to examine all of them here.";
}

/** Only what was checked is fine. */
function calmOf(watched: string, count: number, unchecked: number): Answer["calm"] {
  if (count === 0) return { words: "Nothing is monitored yet", isGood: false };
  if (unchecked === count) return { words: `Not checked yet: ${watched}`, isGood: false };
  const rest = unchecked > 0 ? ` (${formatCount(unchecked)} not checked yet)` : "";
  return { words: `Everything is fine: ${watched}${rest}`, isGood: true };
}

/** Expired certificates and those that expire soon; the noun is said once. */
function expiryParts({ expired, expiring, nextExpiry }: CurrentState, now: number): AnswerPart[] {
  const before = new URLSearchParams({ unused: "false", expires_before: new Date(now).toISOString() });
  const parts: AnswerPart[] = [];
  if (expired > 0)
    parts.push({ words: `${plural(expired, "certificate")} expired`, href: `/certificates/inventory?${before}` });
  if (expiring === 0 || nextExpiry === null) return parts;
  const noun = expired > 0 ? formatCount(expiring) : plural(expiring, "certificate");
  const first = `in ${formatSpan(nextExpiry - now)}`;
  parts.push({
    words:
      expiring === 1 ? `${noun} expires ${first}` : `${noun} expire within ${EXPIRY_DAYS} days, the first ${first}`,
    // Not the inventory: endpoints have those who are notified.
    href: `/certificates?${new URLSearchParams({ expires_within_days: String(EXPIRY_DAYS), sort: "expiry" })}`,
  });
  return parts;
}

function leakParts(leaks: readonly Leak[]): AnswerPart[] {
  const [first] = leaks;
  if (first === undefined) return [];
  const by = plural(
    leaks.reduce((sum, { strangers }) => sum + strangers, 0),
    "unrecognized address",
    "unrecognized addresses",
  );
  return leaks.length === 1
    ? [{ words: `an old secret of ${first.name} is still tried by ${by}`, href: oldSecretsHref(first.apiKeyId) }]
    : [
        {
          words: `${leaks.length} old secrets are still tried by ${by}`,
          href: "/security-events?flag=rotated_secret",
        },
      ];
}

/** What has changed, in parts with links; empty if nothing has. */
export function changeParts({ alerts, expired, endpoints, monitors, members, keys }: Changes): AnswerPart[] {
  const parts: [number, string, string][] = [
    [alerts, `${plural(alerts, "alert")} opened`, "/alerts"],
    [expired, `${plural(expired, "certificate")} expired`, "/certificates?finding=expired"],
    [endpoints, `${plural(endpoints, "endpoint")} added`, "/certificates"],
    [monitors, `${plural(monitors, "monitor")} added`, "/uptime"],
    [members, `${plural(members, "member")} joined`, "/members"],
    [keys, `${plural(keys, "API key")} created, rotated or revoked`, "/api-keys"],
  ];
  return parts.flatMap(([count, words, href]) => (count > 0 ? [{ words, href }] : []));
}
