import { type Clock, isTyped, type Suggestion, suggest } from "@/components/audit-logs/filters/completion/suggest";
import { filterFields, isFilter, type KnownValues } from "@/components/audit-logs/filters/filter-fields";
import { withValue } from "@/components/audit-logs/filters/filter-values";
import { parseSearch, parseValues } from "@/components/audit-logs/filters/parse-search";
import { rangeThatShows } from "@/components/audit-logs/views/view";
import { isConfidential, recognize } from "@/components/search/recognize";
import { parseTimes, timesQuery } from "@/components/search/times";
import { ownerOf, ownerWords } from "@/components/search/use-secret-owner";
import { DEFAULT_RANGE } from "@/lib/audit-views/ranges";
import { idTime } from "@/lib/ids";
import { writeValue } from "@/lib/text/value-list";

export { isTyped, suggest };

type Params = Record<string, string>;
type Changes = Record<string, string | null>;

/** The changes to the view that a suggestion for the typed text makes. */
export function changesOf(
  suggestion: Exclude<Suggestion, { kind: "field" | "note" | "page" }>,
  text: string,
  params: Params,
  known: KnownValues,
): Changes {
  if (suggestion.kind === "owner") {
    const uses = suggestion.isRetired ? { flag: "rotated_secret", range: "all", since: null, until: null } : {};
    return { ...uses, api_key_id: suggestion.keyId };
  }
  if (suggestion.kind === "text") return { q: suggestion.text };
  if (suggestion.kind === "times") return timesQuery(suggestion);
  if (suggestion.kind === "entry") return { entry: suggestion.id, ...rangeWith(suggestion.id, params) };
  const { name, value, isExcluded } = suggestion;
  if (isFilter(name) && filterFields[name].single) return { [name]: value };
  // Keep the values typed before the last comma, and the active ones.
  const [, minus, values] = /^(-?)[a-z_]+:(.*),/.exec(text.trimStart()) ?? [];
  const typed = isFilter(name) && values ? parseValues(name, values, minus === "-", known) : undefined;
  const before = [params[name], typed].filter(Boolean).join(",");
  const range = name === "id" ? rangeWith(value, params) : {};
  return { ...range, [name]: before === "" ? writeValue(value, isExcluded) : withValue(before, value, isExcluded) };
}

/** The secret in a pasted text, and its hint, which replaces it; null without one. */
export function secretIn(text: string): { secret: string; hint: string } | null {
  const found = recognize(text);
  return found?.kind === "secret" ? found : null;
}

/** The suggestion for a pasted secret. Only its hash is sent. */
export async function ownerSuggestion(secret: string): Promise<Suggestion> {
  try {
    const found = await ownerOf(secret);
    const words = ownerWords(found, Date.now());
    if (found.match === null) return { kind: "note", words };
    return { kind: "owner", words, keyId: found.match.api_key.id, isRetired: found.match.retired_at !== null };
  } catch {
    return { kind: "note", words: "The secret could not be looked up." };
  }
}

/**
 * The changes that the text itself makes: its filters, and the range that the rest names or a search for it. None if it may be a
 * secret. Without a clock, no words name a range.
 */
export function typedChanges(text: string, known: KnownValues, clock: Clock | null): Changes {
  if (isConfidential(text)) return {};
  const { q, ...filters } = parseSearch(text, known);
  const times = q === undefined || clock === null ? null : parseTimes(q, clock.now, clock.zone);
  if (times !== null) return { ...filters, ...timesQuery(times) };
  return q === undefined ? filters : { ...filters, q };
}

/** The changes to the range that show the event in the list too; none if the range may include it already. */
function rangeWith(id: string, { since, until, range }: Params): Changes {
  const time = idTime(id);
  const isCustom = since !== undefined || until !== undefined;
  const isWithin = !(Date.parse(since ?? "") > time) && !(Date.parse(until ?? "") <= time);
  const needed = rangeThatShows(time, Date.now());
  if (isCustom ? isWithin : range === "all" || (range === undefined && needed === DEFAULT_RANGE)) return {};
  return { since: null, until: null, range: needed };
}
