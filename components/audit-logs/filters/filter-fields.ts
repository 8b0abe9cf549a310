import { flagWords } from "@/components/audit-logs/entry/flag-words";
import type { filterQuery } from "@/lib/audit-logs/filters";
import { flags } from "@/lib/audit-logs/flags";
import { actions } from "@/lib/http/actions";
import { errorStatus } from "@/lib/http/errors";

type FilterName = Exclude<keyof typeof filterQuery, "since" | "until">;

/** A value that can be chosen. */
export interface Known {
  value: string;
  /** What people call it, where that is another word: a key's name for its id. */
  label?: string;
}

interface Field {
  /** As it stands in a token: "key is ci-deploy". */
  label: string;
  /** What it takes, for someone who sees it for the first time. */
  hint: string;
  /** A closed list to choose from; others know their values from the organization. */
  values?: readonly Known[];
  /** Takes one value, that cannot be excluded. */
  single?: true;
}

const plain = (values: readonly string[]): Known[] => values.map((value) => ({ value }));

/** Every filter of the contract, in the order in which it is offered. */
export const filterFields: Record<FilterName, Field> = {
  api_key_id: { label: "key", hint: "API key" },
  status: {
    label: "status",
    hint: "403, or 4xx",
    values: plain([
      "2xx",
      "3xx",
      "4xx",
      "5xx",
      "200",
      "201",
      "400",
      "401",
      "403",
      "404",
      "409",
      "413",
      "429",
      "499",
      "500",
      "503",
    ]),
  },
  flag: {
    label: "flag",
    hint: "what is remarkable",
    values: flags.map((value) => ({ value, label: flagWords[value].says })),
  },
  method: {
    label: "method",
    hint: "GET, POST, …",
    values: plain(["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"]),
  },
  route: { label: "route", hint: "pattern of the path" },
  path: { label: "path", hint: "exact, or a beginning and *" },
  action: { label: "action", hint: "api_key.rotate", values: plain(actions) },
  ip: { label: "address", hint: "192.0.2.10, or 192.0.2.0/24" },
  country: { label: "country", hint: "where the address is" },
  user_id: { label: "person", hint: "member" },
  error_code: { label: "error", hint: "code of the answer", values: plain(Object.keys(errorStatus)) },
  auth_type: {
    label: "credential",
    hint: "how the caller signed in",
    values: [
      { value: "api_key", label: "API key" },
      { value: "session", label: "a person’s session" },
      { value: "anonymous", label: "none that is known" },
      { value: "system", label: "Sealwatch itself" },
    ],
  },
  resource_type: {
    label: "resource type",
    hint: "api_key, certificate, …",
    values: plain([...new Set(actions.map((action) => action.split(".", 1)[0] ?? ""))]),
  },
  resource_id: { label: "resource", hint: "its id" },
  security_event: {
    label: "security event",
    hint: "true or false",
    values: [
      { value: "true", label: "only security events" },
      { value: "false", label: "no security events" },
    ],
    single: true,
  },
  min_response_time_ms: { label: "took at least (ms)", hint: "250", single: true },
  q: { label: "text", hint: "in path, query, user agent, error message", single: true },
};

/** Names of the filters that stand as tokens. */
export const filterNames = Object.keys(filterFields) as FilterName[];

export function isFilter(name: string): name is FilterName {
  return name in filterFields;
}

/** What the organization has, by the filter that takes it. */
export type KnownValues = Partial<Record<FilterName, readonly Known[]>>;

/** All values of a filter that can be chosen. */
export function knownOf(name: FilterName, known: KnownValues): readonly Known[] {
  return filterFields[name].values ?? known[name] ?? [];
}

/** The name of a value as people call it, for a token. Flags and the like are called by their own name. */
export function nameOf(name: string, value: string, known: KnownValues): string {
  if (!isFilter(name) || name === "flag") return value;
  return knownOf(name, known).find((each) => each.value === value)?.label ?? value;
}
