import type { filterQuery } from "@/lib/audit-logs/filters";
import { flagLabels } from "@/lib/audit-logs/flag-labels";
import { flags } from "@/lib/audit-logs/flags";

export type FilterName = Exclude<keyof typeof filterQuery, "since" | "until">;

/** A value that can be selected. */
export interface Known {
  value: string;
  /** The display name if it differs from the value, such as a key's name for its ID. */
  label?: string;
  /** Of a key: the first and last characters of its secret. */
  secretHint?: string;
}

interface Field {
  /** The name in a token, such as "key" in "key is ci-deploy". */
  label: string;
  /** An explanation or example of its values. */
  hint: string;
  /** A closed list of values with labels; completion/closed-values.ts has the lists without. */
  values?: readonly Known[];
  /** Takes a single value, which cannot be excluded. */
  single?: true;
}

/** Every filter of the contract, in display order. */
export const filterFields: Record<FilterName, Field> = {
  api_key_id: { label: "key", hint: "API key" },
  status: { label: "status", hint: "403, or 4xx" },
  flag: {
    label: "flag",
    hint: "security flag or other mark",
    values: flags.map((value) => ({ value, label: flagLabels[value] })),
  },
  method: { label: "method", hint: "GET, POST, …" },
  route: { label: "route", hint: "path pattern" },
  path: { label: "path", hint: "exact path, or a prefix and *" },
  action: { label: "action", hint: "api_key.rotate" },
  ip: { label: "address", hint: "192.0.2.10, or 192.0.2.0/24" },
  country: { label: "country", hint: "country of the address" },
  user_id: { label: "user", hint: "member" },
  user_agent: { label: "user agent", hint: "the whole user agent" },
  error_code: { label: "error", hint: "error code of the response" },
  auth_type: {
    label: "credential",
    hint: "how the caller authenticated",
    values: [
      { value: "api_key", label: "API key" },
      { value: "session", label: "user session" },
      { value: "anonymous", label: "none or unknown" },
      { value: "system", label: "Sealwatch" },
    ],
  },
  resource_type: { label: "resource type", hint: "api_key, certificate, …" },
  resource_id: { label: "resource", hint: "resource ID" },
  id: { label: "request", hint: "X-Request-Id of a response" },
  security_event: {
    label: "security event",
    hint: "true or false",
    values: [
      { value: "true", label: "only security events" },
      { value: "false", label: "no security events" },
    ],
    single: true,
  },
  via: {
    label: "via",
    hint: "requests of the dashboard",
    values: [
      { value: "dashboard", label: "dashboard" },
      { value: "dashboard_read", label: "reads in the dashboard" },
    ],
  },
  trace_id: { label: "trace", hint: "trace ID of a traceparent" },
  min_response_time_ms: { label: "duration at least (ms)", hint: "250", single: true },
  q: { label: "text", hint: "in path, query, user agent, error message", single: true },
};

/** Names of the filters that are shown as tokens. */
export const filterNames = Object.keys(filterFields) as FilterName[];

export function isFilter(name: string): name is FilterName {
  return name in filterFields;
}

/** Keys and members whose names the page knows, each. */
export const MAX_KNOWN = 200;

/** Known values in the organization, by filter. */
export type KnownValues = Partial<Record<FilterName, readonly Known[]>>;

/** The display name of a value in a token. Flags keep their code. */
export function nameOf(name: string, value: string, known: KnownValues): string {
  if (!isFilter(name)) return value;
  return (filterFields[name].values ?? known[name])?.find((each) => each.value === value)?.label ?? value;
}
