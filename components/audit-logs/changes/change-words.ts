import type { AuditChange } from "@/lib/audit-logs/change-contract";
import type { AuditEvent } from "@/lib/audit-logs/contract";
import { formatCount, plural } from "@/lib/text/counts";

/** An event's changes in one line. */
interface ChangeSummary {
  /** `Changed terraform’s IP whitelist`. */
  text: string;
  /** The only change, whose values complete the line; null if there are several, or the text says it all. */
  change: AuditChange | null;
}

/** Named changes of several; the others are counted. */
const MAX_NAMED = 3;

const nouns: Record<string, string> = {
  alert_rule: "alert rule",
  api_key: "API key",
  audit_view: "view",
  certificate_agent: "agent",
  certificate_calendar: "calendar",
  certificate_endpoint: "endpoint",
  certificate_trust_store: "trust store",
  destination: "destination",
  maintenance_window: "maintenance window",
  notification_channel: "channel",
};

/** Verbs of actions that concern the resource as a whole. */
const wholes: Record<string, string> = {
  create: "Created",
  delete: "Deleted",
  leave: "Removed",
  remove: "Removed",
  revoke: "Revoked",
  withdraw: "Withdrew",
};

const verbs: Record<string, string> = { rotate: "Rotated", rotate_secret: "Rotated", rotate_url: "Rotated" };

const labels: Record<string, string> = {
  address_mode: "address mode",
  agent_id: "agent",
  connect_to: "address to connect to",
  due_at: "due",
  ends_at: "end",
  expires_at: "expiration",
  grace_seconds: "grace in seconds",
  hint: "secret",
  interval_hours: "interval in hours",
  is_default: "default for new endpoints",
  interval_seconds: "interval in seconds",
  ip_whitelist: "IP whitelist",
  max_lifetime_days: "longest lifetime in days",
  monitor_ids: "monitors",
  pins: "pinned keys",
  proven_at: "verification",
  public_key: "signing key",
  repeat_minutes: "minutes between repeats",
  renewal_method: "renewal method",
  renewal_note: "renewal note",
  renewal_link: "renewal link",
  resolve_after_minutes: "minutes until it resolves",
  revoked_at: "revocation",
  send_resolved: "notification when resolved",
  sni: "SNI",
  starts_at: "start",
  timeout_seconds: "timeout in seconds",
  trust_store_id: "trust store",
  url: "URL",
  verify_tls: "certificate verification",
};

/** The field of a change in words: `steps.0.severity` is `severity of step 1`, `sites.0.label` is `label of site 1`. */
export function fieldWords(field: string): string {
  const [, entry, at, within] = /^(step|site)s\.(\d+)\.(.+)$/.exec(field) ?? [];
  if (within !== undefined) return `${fieldWords(within)} of ${entry} ${Number(at) + 1}`;
  const [first = "", ...others] = field.split(".");
  const named = first === "settings" && others.length > 0 ? others : [first, ...others];
  return named.map((name) => labels[name] ?? name.replaceAll("_", " ")).join(" ");
}

/** An event's changes in one line; null for events that record none. */
export function changeSummary({ details, resource }: AuditEvent): ChangeSummary | null {
  const [type = "", verb = ""] = resource.action?.split(".") ?? [];
  const { changes, changes_omitted = 0, created, updated, resource_name } = details ?? {};
  if (changes === undefined) return null;
  const noun = nouns[type] ?? type.replaceAll("_", " ");
  if (created !== undefined) return { text: bulkWords(noun, created, updated ?? 0), change: null };
  const name = resource_name ?? noun;
  const whole = wholes[verb];
  if (whole !== undefined) return { text: `${whole} ${noun} ${name}`, change: null };
  const [change] = changes;
  // People become members by invitations and groups too.
  if (change?.field === "permission" && change.from === null) return { text: `Added member ${name}`, change: null };
  if (change === undefined) return { text: `Left ${name} unchanged`, change: null };
  const did = verbs[verb] ?? "Changed";
  if (changes.length + changes_omitted === 1) return { text: `${did} ${name}’s ${fieldWords(change.field)}`, change };
  const topics = [...new Set(changes.map(({ field }) => fieldWords(field.split(".", 1)[0] ?? "")))];
  const hasMore = topics.length > MAX_NAMED || changes_omitted > 0;
  const listed = [...topics.slice(0, MAX_NAMED), ...(hasMore ? ["more"] : [])];
  return { text: `${did} ${name}’s ${inWords(listed)}`, change: null };
}

function bulkWords(noun: string, created: number, updated: number): string {
  const parts = [
    created > 0 && `added ${plural(created, noun)}`,
    updated > 0 && `changed ${created > 0 ? updated : plural(updated, noun)}`,
  ].filter((part) => part !== false);
  const text = parts.length > 0 ? parts.join(", ") : `left all ${noun}s unchanged`;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function inWords(words: string[]): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} and ${last}`;
}

/** The entries that a change added to a list and removed from it; null if the field is not a list. */
export function listChange(change: AuditChange): { added: Part; removed: Part } | null {
  const { from, to, added, removed } = change;
  if (added && removed) return { added, removed };
  if (!Array.isArray(from) && !Array.isArray(to)) return null;
  const olds: unknown[] = Array.isArray(from) ? from : [];
  const news: unknown[] = Array.isArray(to) ? to : [];
  const part = (list: unknown[], other: unknown[]) => {
    const first = list.filter((entry) => !other.includes(entry));
    return { count: first.length, first };
  };
  return { added: part(news, olds), removed: part(olds, news) };
}

type Part = NonNullable<AuditChange["added"]>;

/** Entries of a list in words, at most `most` of them. */
export function entriesWords({ count, first }: Part, most: number): string {
  const shown = first.slice(0, most).map(valueWords);
  const more = count - shown.length;
  return [...shown, ...(more > 0 ? [`${formatCount(more)} more`] : [])].join(", ");
}

/** A value that is neither a list nor a time. */
export function valueWords(value: unknown): string {
  if (value === null || value === undefined) return "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (value === "") return "empty";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Whether the value is a time of the API. */
export function isTime(value: unknown): value is string {
  return typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value);
}
