import { flagWords } from "@/components/audit-logs/entry/flag-words";
import { countryName } from "@/components/statistics/countries";
import { plural } from "@/components/time/time-format";
import type { Flag } from "@/lib/audit-logs/flags";
import type { SecurityEventGroup } from "@/lib/audit-logs/read/groups-contract";

/** Whether someone should look into it, rather than only be able to look it up. */
export function isAlarming(flag: Flag): boolean {
  const { tone } = flagWords[flag];
  return tone === "bad" || tone === "warn";
}

/** The filters that find exactly a group's events. */
export function groupFilters({ flag, source }: Pick<SecurityEventGroup, "flag" | "source">): Record<string, string> {
  if (source.type === "api_key" && source.id) return { flag, api_key_id: source.id };
  if (source.type === "user" && source.id) return { flag, user_id: source.id };
  if (source.type === "address" && source.id) return { flag, ip: source.id, auth_type: "anonymous" };
  return { flag, auth_type: "system" };
}

/** Who caused the events, in a word or two. */
export function sourceName({ type, id, name }: SecurityEventGroup["source"]): string {
  return name ?? (type === "system" ? "Sealwatch" : (id ?? "nobody known"));
}

/** What happened, how often and from where. */
export function groupWords({ flag, source, events, unique_ips, by_ip }: SecurityEventGroup): string {
  const who = sourceName(source);
  const from = unique_ips === 1 ? ` from ${by_ip[0]?.value}` : unique_ips > 1 ? ` from ${unique_ips} addresses` : "";
  const tries = `${plural(events, "try", "tries")}${from}`;
  switch (flag) {
    case "rotated_secret":
      return `A client still uses a secret of ${who} that was rotated out: ${tries}.`;
    case "revoked_key":
      return `${who} was revoked, and somebody goes on using it: ${tries}.`;
    case "expired_key":
      return `${who} has expired, and somebody goes on using it: ${tries}.`;
    case "new_country":
      return `${who} was used from ${countriesOf(by_ip)}, where it had not been used before.`;
    case "new_address":
      return `${who} was used from ${addressesOf(by_ip, unique_ips)}, where it had not been used before.`;
    case "ip_not_allowed":
      return `${who} was blocked by its IP whitelist: ${tries}.`;
    case "method_not_allowed":
      return `${who} may only read, and tried to change something: ${tries}.`;
    case "rate_limited":
      return `${who} sent more than its limit allows: ${plural(events, "request")} refused.`;
    default:
      return flagWords[flag].says;
  }
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

/** What somebody did, as it follows their name. */
const deeds: Partial<Record<Flag, string>> = {
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
  audit_exported: "exported entries of the audit log",
  organization_exported: "exported all that the organization keeps",
};

/** What was done, as it stands after who did it. */
export function deedWords(flag: Flag): string {
  return deeds[flag] ?? `· ${flagWords[flag].says}`;
}
