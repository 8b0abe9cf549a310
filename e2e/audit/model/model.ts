import { BlockList, isIPv4 } from "node:net";
import type { AuditRow } from "@/lib/audit-logs/audit-event-draft";
import { idTime } from "@/lib/ids";

/** Filters as query parameters, and their meaning without SQL, tokens or our own address arithmetic. */
export type Query = Record<string, string>;

type Meaning = (value: string, row: AuditRow) => boolean;

const meanings: Record<string, Meaning> = {
  id: (value, row) => row.id === value,
  method: (value, row) => row.method === value,
  path: (value, { path }) => (value.endsWith("*") ? !!path?.startsWith(value.slice(0, -1)) : path === value),
  route: (value, row) => row.route === value,
  status: (value, row) => {
    const status = String(row.status_code);
    return value.endsWith("xx") ? status.charAt(0) === value.charAt(0) : status === value;
  },
  error_code: (value, row) => row.error_code === value,
  auth_type: (value, row) => row.auth_type === value,
  api_key_id: (value, row) => row.api_key_id === value,
  user_id: (value, row) => row.user_id === value,
  ip: (value, row) => row.ip_address !== null && isWithin(row.ip_address, value),
  country: (value, row) => row.country === value,
  user_agent: (value, row) => row.user_agent === value,
  flag: (value, row) => row.flags.some((flag) => flag === value),
  resource_type: (value, row) => row.resource_type === value,
  resource_id: (value, row) => row.resource_id === value,
  action: (value, row) => row.action === value,
  via: (value, row) =>
    row.details?.via === "dashboard" &&
    ["session", ""].includes(row.auth_type) &&
    (value === "dashboard" || onlyReads(row)),
};

/** Whether a request succeeded, changed nothing and is not a security event. */
function onlyReads({ method, action, status_code, flags }: AuditRow): boolean {
  const isRead =
    method === "GET" || ["alert_rule.preview", "alert_rule.test", "api_key.preview_whitelist"].includes(action ?? "");
  return isRead && (status_code ?? 999) < 400 && flags.every((flag) => flag === "interrupted");
}

/** Whether an address is in a network, by Node's own arithmetic. An IPv4-mapped network is the IPv4 one. */
function isWithin(address: string, network: string): boolean {
  const [written = "", length] = network.split("/");
  const isMapped = written.startsWith("::ffff:") && written.includes(".");
  const base = isMapped ? written.slice("::ffff:".length) : written;
  if (isIPv4(address) !== isIPv4(base)) return false;
  const family = isIPv4(base) ? "ipv4" : "ipv6";
  const prefix = length === undefined ? (family === "ipv4" ? 32 : 128) : Number(length) - (isMapped ? 96 : 0);
  const list = new BlockList();
  list.addSubnet(base, prefix, family);
  return list.check(address, family);
}

/** Milliseconds, including fractions of them. */
function parseTime(text: string): number {
  return Date.parse(text) + Number(`0.${/\.\d{3}(\d+)/.exec(text)?.[1] ?? "0"}`);
}

export function isSecurity(row: AuditRow): boolean {
  return row.flags.filter((flag) => flag !== "interrupted").length > 0;
}

/** Whether an event matches: any of the plain values, and none of those after `!`. */
export function fits(query: Query, row: AuditRow): boolean {
  const time = idTime(row.id);
  const { since, until, security_event, min_response_time_ms, q, ...choices } = query;
  if (since !== undefined && time < parseTime(since)) return false;
  if (until !== undefined && time >= parseTime(until)) return false;
  if (security_event !== undefined && String(isSecurity(row)) !== security_event) return false;
  if (min_response_time_ms !== undefined) {
    if (row.response_time_us === null || row.response_time_us / 1000 < Number(min_response_time_ms)) return false;
  }
  if (q !== undefined) {
    const texts = [row.path, row.query, row.user_agent, row.error_message];
    if (!texts.some((text) => text?.toLowerCase().includes(q.toLowerCase()))) return false;
  }
  return Object.entries(choices).every(([name, text]) => {
    const means = meanings[name];
    if (means === undefined) throw new Error(`the model knows no filter ${name}`);
    const values = text.match(/(?:\\.|[^,\\])+/gsu) ?? [];
    const read = (value: string) => value.replace(/\\([\\,!])/g, "$1");
    const plain = values.filter((value) => !value.startsWith("!")).map(read);
    const negated = values.filter((value) => value.startsWith("!")).map((value) => read(value.slice(1)));
    return (plain.length === 0 || plain.some((v) => means(v, row))) && !negated.some((v) => means(v, row));
  });
}

/** The ids of matching events, in the requested order. */
export function listed(rows: readonly AuditRow[], query: Query, order: "asc" | "desc"): string[] {
  const ids = rows.filter((row) => fits(query, row)).map(({ id }) => id);
  ids.sort();
  return order === "asc" ? ids : ids.reverse();
}
