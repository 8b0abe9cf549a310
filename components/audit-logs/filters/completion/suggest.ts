import { closedValues, knownOf } from "@/components/audit-logs/filters/completion/closed-values";
import { filterFields, filterNames, isFilter, type KnownValues } from "@/components/audit-logs/filters/filter-fields";
import { isConfidential, type Recognized, recognize } from "@/components/search/recognize";
import { parseTimes, type Times } from "@/components/search/times";

/** A suggestion: a filter name, a value of a filter, an entry, a range of time, text to search for, or a page. */
export type Suggestion =
  | { kind: "field"; name: string; words: string; hint: string }
  | { kind: "value"; name: string; value: string; isExcluded: boolean; words: string; hint: string }
  | { kind: "entry"; id: string }
  | ({ kind: "times" } & Times)
  | { kind: "text"; text: string }
  /** The key that a pasted secret belongs to. */
  | { kind: "owner"; keyId: string; isRetired: boolean; words: string }
  /** A page about what is not in the log. */
  | { kind: "page"; href: string; words: string }
  /** Said instead of suggestions, or below them. */
  | { kind: "note"; words: string };

/** The reader's time: Unix milliseconds, and an IANA zone. */
export interface Clock {
  now: number;
  zone: string;
}

const MAX_VALUES = 60;
/** Values per filter while no filter is named. */
const MAX_OF_EACH = 4;

/** Parses `status:!4` into the filter and the typed part of its value. */
export function typedFilter(text: string): { name: string; isExcluded: boolean; typed: string } | null {
  const [, minus = "", name = "", not = "", typed = ""] = /^(-?)([a-z_]+):(!?)(.*)$/.exec(text.trimStart()) ?? [];
  const found = isFilter(name) ? name : filterNames.find((each) => filterFields[each].label === name);
  return found === undefined ? null : { name: found, isExcluded: minus !== "" || not !== "", typed: typed.trim() };
}

/**
 * Suggestions that match the typed text, the most likely first. None has a text that may be a secret. Without a clock, only filters:
 * no range of time, and no entry or page to open. `lookedUp` is what the server found.
 */
export function suggest(
  text: string,
  known: KnownValues,
  clock: Clock | null,
  lookedUp: readonly Suggestion[] = [],
): Suggestion[] {
  if (isConfidential(text))
    return [{ kind: "note", words: "Part of a secret. It is not searched for, nor sent anywhere." }];
  const named = typedFilter(text);
  if (named !== null) return [...lookedUp, ...valuesOf(named, known)];
  const typed = text.trim().toLowerCase();
  const fields = filterNames.filter((name) => name !== "q" && fits(typed, name, filterFields[name].label)).map(field);
  if (typed === "") return fields;
  const times = clock && parseTimes(typed, clock.now, clock.zone);
  const found = recognize(text);
  const meant = [
    ...(times === null ? [] : [{ kind: "times" as const, ...times }]),
    ...traceIn(typed),
    ...lookedUp.filter(({ kind }) => kind === "value"),
    ...meantBy(found, known).filter(({ kind }) => clock !== null || kind !== "entry"),
  ];
  const values = typed.length < 2 ? [] : filterNames.flatMap((name) => someOf(name, typed, known));
  const others = values.filter((value) => !meant.some((each) => sameValue(each, value)));
  const elsewhere = [
    ...lookedUp.filter(({ kind }) => kind === "note" || (kind === "page" && clock !== null)),
    ...(clock === null ? [] : pagesOf(found)),
  ];
  return [...meant, ...fields, ...others, { kind: "text", text: text.trim() }, ...elsewhere];
}

/** Where certificates and hosts are found; the log has them only as parts of its texts. */
function pagesOf(found: Recognized | null): Suggestion[] {
  switch (found?.kind) {
    case "host":
      return [
        { kind: "page", href: `/certificates?q=${encodeURIComponent(found.host)}`, words: "Endpoints with this host" },
      ];
    case "fingerprint":
      return [
        {
          kind: "page",
          href: `/certificates/inventory?sha256=${found.sha256}`,
          words: "Certificate with this fingerprint",
        },
      ];
    default:
      return [];
  }
}

/** Whether the suggestion adds nothing to what was typed, such as `403` to `status:401,403`. */
export function isTyped(text: string, suggestion: Suggestion): boolean {
  const last = typedFilter(text)?.typed.split(",").at(-1)?.trim();
  if (suggestion.kind !== "value" || last === undefined) return false;
  return suggestion.value === last || suggestion.words === last || suggestion.value === unquoted(last);
}

/** The filters that a recognized text stands for. */
function meantBy(found: Recognized | null, known: KnownValues): Suggestion[] {
  switch (found?.kind) {
    case "id": {
      const named = (["api_key_id", "user_id"] as const).flatMap((name) =>
        knownOf(name, known)
          .filter(({ value }) => value === found.id)
          .map((each) => toSuggestion(name, each, false)),
      );
      const others = (["id", "resource_id"] as const).map((name) => toSuggestion(name, { value: found.id }, false));
      return [...named, { kind: "entry", id: found.id }, ...others];
    }
    case "hint":
      return knownOf("api_key_id", known)
        .filter(({ secretHint }) => secretHint === found.hint)
        .map((each) => toSuggestion("api_key_id", each, false));
    case "network":
      return [toSuggestion("ip", { value: found.network }, false)];
    case "path":
      return [toSuggestion("path", { value: found.path }, false)];
    case "status":
      return [toSuggestion("status", { value: found.status }, false)];
    default:
      return [];
  }
}

/** The filter for a trace id, also within a whole `traceparent`. */
function traceIn(text: string): Suggestion[] {
  const [, id] = /^(?:[0-9a-f]{2}-)?([0-9a-f]{32})(?:-[0-9a-f]{16}-[0-9a-f]{2})?$/.exec(text) ?? [];
  return id === undefined ? [] : [toSuggestion("trace_id", { value: id }, false)];
}

function sameValue(one: Suggestion, other: Suggestion): boolean {
  return one.kind === "value" && other.kind === "value" && one.name === other.name && one.value === other.value;
}

function field(name: keyof typeof filterFields): Suggestion {
  const { label, hint } = filterFields[name];
  return { kind: "field", name, words: label, hint };
}

/** Of several typed values, the one being typed. */
export const lastOf = (typed: string) => typed.split(",").at(-1)?.trim() ?? "";

function valuesOf({ name, isExcluded, typed }: NonNullable<ReturnType<typeof typedFilter>>, known: KnownValues) {
  if (!isFilter(name)) return [];
  const last = lastOf(typed);
  const found = knownOf(name, known)
    .filter(({ value, label = "" }) => fits(last.toLowerCase(), value, label))
    .slice(0, MAX_VALUES)
    .map((each) => toSuggestion(name, each, isExcluded));
  const isListed = found.some((each) => each.value === last);
  // Filters by ID are completed by name only.
  const isClosed = closedValues(name) !== undefined || name === "api_key_id" || name === "user_id";
  // A value with a space is quoted; otherwise the space begins another filter or text.
  const free = unquoted(last);
  const isFree = free !== "" && !isListed && !isClosed && (name !== "country" || /^[A-Z]{2}$/.test(free));
  return isFree && (free !== last || !last.includes(" "))
    ? [...found, toSuggestion(name, { value: free }, isExcluded)]
    : found;
}

function unquoted(text: string): string {
  return text.replace(/^"([^"]*)"$/, "$1");
}

function someOf(name: keyof typeof filterFields, typed: string, known: KnownValues): Suggestion[] {
  return knownOf(name, known)
    .filter(({ value, label = "" }) => fits(typed, value, label))
    .slice(0, MAX_OF_EACH)
    .map((each) => toSuggestion(name, each, false));
}

/** The suggestion of a value, in the words of its name. */
export function toSuggestion(
  name: keyof typeof filterFields,
  { value, label }: { value: string; label?: string },
  isExcluded: boolean,
) {
  const isNamed = label !== undefined && name !== "country";
  return {
    kind: "value" as const,
    name,
    value,
    isExcluded,
    words: isNamed ? label : value,
    hint: isNamed ? "" : (label ?? ""),
  };
}

/** Whether one of the texts contains the lower-case typed text. */
export function fits(typed: string, ...texts: string[]): boolean {
  return texts.some((text) => text.toLowerCase().includes(typed));
}
