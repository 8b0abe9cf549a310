import { isOfOldSecret, oldSecretsHref } from "@/components/api-keys/old-secrets/words";
import { flagAdvice } from "@/components/audit-logs/entry/flag-advice";
import { flagWords } from "@/components/audit-logs/entry/flag-words";
import { formatFilter, parseFilter } from "@/components/audit-logs/filters/filter-values";
import { countryName } from "@/components/statistics/countries";
import type { Flag } from "@/lib/audit-logs/flags";
import type { SecurityEventGroup } from "@/lib/audit-logs/security/groups-contract";
import { plural } from "@/lib/text/counts";

/** A redacted caller has none of the types of authentication. */
const REDACTED = "!api_key,!session,!anonymous,!system";

/** The filters that find exactly the events of a group. */
export function groupFilters({ flag, source }: Pick<SecurityEventGroup, "flag" | "source">): Record<string, string> {
  if (source.type === "api_key" && source.id) return { flag, api_key_id: source.id };
  if (source.type === "user" && source.id) return { flag, user_id: source.id };
  if (source.type === "address" && source.id) return { flag, ip: source.id, auth_type: "anonymous" };
  return { flag, auth_type: source.type === "redacted" ? REDACTED : "system" };
}

/** The filters of a list with those of some of its entries, which keep what the list excludes. */
export function narrowed(list: Record<string, string>, more: Record<string, string>): Record<string, string> {
  const merged = Object.entries(more).map(([name, text]) => {
    const { include, exclude } = parseFilter(text);
    const excluded = new Set([...parseFilter(list[name]).exclude, ...exclude]);
    return [name, formatFilter({ include, exclude: [...excluded] }) ?? text];
  });
  return { ...list, ...Object.fromEntries(merged) };
}

/** The source of the events, in a word or two. */
export function sourceName({ type, id, name }: SecurityEventGroup["source"]): string {
  if (type === "redacted") return "A redacted caller";
  return name ?? (type === "system" ? "Sealwatch" : (id ?? "anonymous"));
}

/** A sentence that says what happened, how often and from where. */
export function groupWords({ flag, source, events, unique_ips, by_ip, strangers }: SecurityEventGroup): string {
  // A caller's name is a part of the sentences about it.
  if (source.type === "redacted") return `${flagWords[flag]} ${redactedWords(events)}`;
  const who = sourceName(source);
  const from = unique_ips === 1 ? ` from ${by_ip[0]?.value}` : unique_ips > 1 ? ` from ${unique_ips} addresses` : "";
  const attempts = `${plural(events, "attempt")}${from}`;
  switch (flag) {
    case "rotated_secret":
      if (strangers) return `An old secret of ${who} is in use: ${attempts}, ${strangerWords(strangers, unique_ips)}.`;
      return `A client still uses an old secret of ${who}: ${attempts}.`;
    case "revoked_key":
      if (strangers) return `The revoked key ${who} is in use: ${attempts}, ${strangerWords(strangers, unique_ips)}.`;
      return `${who} was revoked but is still in use: ${attempts}.`;
    case "expired_key":
      return `${who} has expired but is still in use: ${attempts}.`;
    case "new_country":
      return `${who} was used from ${countriesOf(by_ip)} for the first time.`;
    case "new_address":
      return `${who} was used from ${addressesOf(by_ip, unique_ips)} for the first time.`;
    case "ip_not_allowed":
      return `${who} was blocked by its IP whitelist: ${attempts}.`;
    case "method_not_allowed":
      return `${who} has read permission but tried to make changes: ${attempts}.`;
    case "rate_limited":
      return `${who} sent more than its limit allows: ${plural(events, "request")} refused.`;
    default:
      return flagWords[flag];
  }
}

function redactedWords(events: number): string {
  return events === 1 ? "The caller was redacted." : `The callers of these ${plural(events, "event")} were redacted.`;
}

/** How many of the addresses before it are unrecognized, of which there is at least one. */
function strangerWords(strangers: number, addresses: number): string {
  if (addresses <= 1) return "an unrecognized address";
  if (strangers === addresses) return "all of them unrecognized";
  return `${strangers} of them unrecognized`;
}

/** What to do about the group, if anything. */
export function groupAdvice({ flag, strangers, unique_ips }: SecurityEventGroup): string | undefined {
  if (strangers === null || !isOfOldSecret(flag)) return flagAdvice[flag];
  if (strangers === 0)
    return `These addresses used the key before: ${flag === "revoked_key" ? "remove the key" : "deploy the new secret"} there.`;
  const others = strangers < unique_ips ? " The other addresses are your own." : "";
  return `The secret has leaked unless you recognize the addresses: block and report them.${others}`;
}

/** The URL of the entries in a range that have these filters. */
export type EntriesOf = (filters: Record<string, string>) => string;

/** The page about the group, or else its entries. */
export function groupHref(group: SecurityEventGroup, entriesOf: EntriesOf): string {
  const { flag, source } = group;
  if (isOfOldSecret(flag) && source.type === "api_key" && source.id !== null) return oldSecretsHref(source.id);
  return entriesOf(groupFilters(group));
}

function countriesOf(addresses: SecurityEventGroup["by_ip"]): string {
  const names = new Set(addresses.flatMap(({ country }) => (country === null ? [] : [countryName(country)])));
  return names.size === 0 ? "a country" : list([...names]);
}

function addressesOf(addresses: SecurityEventGroup["by_ip"], unique: number): string {
  const known = addresses.map(({ value }) => value);
  if (unique <= 3) return list(known);
  return `${unique} addresses`;
}

function list(words: string[]): string {
  return words.length < 2 ? (words[0] ?? "") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

/** Actions in words, to follow the name of the user. */
const actions: Partial<Record<Flag, string>> = {
  key_created: "created an API key",
  key_updated: "changed an API key",
  key_rotated: "replaced an API key’s secret",
  key_revoked: "revoked an API key",
  sign_in: "signed in",
  sign_out: "signed out",
  member_added: "added a member",
  member_changed: "changed a member’s permission",
  member_removed: "removed a member",
  organization_updated: "changed the organization’s settings",
  plan_changed: "changed the plan",
  audit_exported: "exported audit log entries",
  audit_redacted: "redacted an audit log entry",
  destination_changed: "changed where the audit log is streamed to",
  audit_hold_placed: "placed a legal hold on the audit log",
  audit_hold_released: "released a legal hold on the audit log",
  organization_exported: "exported all data of the organization",
};

/** The action in words, to follow the name of the source. */
export function actionWords(flag: Flag): string {
  return actions[flag] ?? `· ${flagWords[flag]}`;
}
