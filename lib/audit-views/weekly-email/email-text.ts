import type { AuditEvent } from "@/lib/audit-logs/contract";
import type { Week } from "@/lib/audit-views/week";
import { formatCount, plural } from "@/lib/text/counts";
import { oneLine } from "@/lib/text/one-line";

/** The most frequent values of a dimension with their numbers of events. */
export interface Top {
  title: string;
  values: readonly { name: string; events: number }[];
  /** The number of the newest events of which they are counted; null if of all. */
  newest: number | null;
}

/** What an e-mail says about the entries of a view in a week. */
export interface WeekOfView {
  week: Week;
  /** Null if counting took too long. */
  count: number | null;
  countBefore: number | null;
  tops: readonly Top[];
  entries: readonly AuditEvent[];
}

interface About extends WeekOfView {
  view: string;
  organization: string;
  /** The entries of the week, and the page with the saved views. */
  urls: { entries: string; views: string };
}

const entriesWord = (count: number) => plural(count, "entry", "entries");

function formatter(options: Intl.DateTimeFormatOptions) {
  const format = new Intl.DateTimeFormat("en-GB", { ...options, timeZone: "UTC" });
  return (time: number) => format.format(time);
}
const day = formatter({ day: "numeric", month: "long", year: "numeric" });
const weekday = formatter({ weekday: "short" });
const date = formatter({ day: "numeric", month: "short" });
const clock = formatter({ hour: "2-digit", minute: "2-digit" });
// Part by part, because the punctuation between them depends on the version of Node.js.
const minute = (time: number) => `${weekday(time)} ${date(time)}, ${clock(time)}`;

/** Subject and text of the weekly e-mail about a saved view. */
export function weeklyEmail(about: About): { subject: string; text: string } {
  const { view, organization, week, count, countBefore, tops, entries, urls } = about;
  const parts = [
    `“${oneLine(view)}” in the audit log of ${oneLine(organization)}, ${day(week.from)} to ${day(week.to - 1)} (UTC)`,
    countWords(count, countBefore),
    ...tops.map(table),
    entries.length > 0 ? `Newest entries\n${entries.map((entry) => `  ${entrySentence(entry)}`).join("\n")}` : "",
    `All entries of the week:\n${urls.entries}`,
    `You are receiving this e-mail every Monday because you subscribed to it. To unsubscribe, open “Manage saved views” in the audit log:\n${urls.views}`,
  ];
  const subject = count === null ? "last week" : `${entriesWord(count)} last week`;
  return { subject: `${oneLine(view)}: ${subject}`, text: `${parts.filter(Boolean).join("\n\n")}\n` };
}

function countWords(count: number | null, before: number | null): string {
  if (count === null) return "There are more entries than could be counted.";
  const found = count === 0 ? "No entries" : entriesWord(count);
  return before === null ? `${found}.` : `${found}, ${formatCount(before)} in the week before.`;
}

function table({ title, values, newest }: Top): string {
  if (values.length === 0) return "";
  const of = newest === null ? "" : ` (newest ${formatCount(newest)} entries)`;
  const width = Math.max(...values.map(({ events }) => formatCount(events).length));
  return [
    `${title}${of}`,
    ...values.map(({ name, events }) => `  ${formatCount(events).padStart(width)}  ${oneLine(name)}`),
  ].join("\n");
}

/** `Mon 16 Nov, 09:12: CI deploy requested GET /api/v1/certificates from 192.0.2.1: 403 IP_NOT_ALLOWED.` */
export function entrySentence({
  occurred_at,
  authentication,
  request,
  response,
  client,
  resource,
}: AuditEvent): string {
  const who = callerIn(authentication);
  const address = client?.ip_address ?? null;
  const what = request === null ? `recorded ${resource.action}` : `requested ${request.method} ${request.path}`;
  const from = address === null ? "" : ` from ${address}`;
  const result = [response.status_code, response.error_code].filter((part) => part !== null).join(" ");
  return `${minute(Date.parse(occurred_at))}: ${oneLine(who)} ${oneLine(what)}${from}${result === "" ? "" : `: ${result}`}.`;
}

function callerIn(authentication: AuditEvent["authentication"]): string {
  if (authentication === null) return "A redacted caller";
  const { type, api_key, user } = authentication;
  return api_key?.name ?? user?.name ?? (type === "system" ? "Sealwatch" : "An unknown caller");
}
