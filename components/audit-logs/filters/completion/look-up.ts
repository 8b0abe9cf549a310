import {
  fits,
  lastOf,
  type Suggestion,
  toSuggestion,
  typedFilter,
} from "@/components/audit-logs/filters/completion/suggest";
import { type KnownValues, MAX_KNOWN } from "@/components/audit-logs/filters/filter-fields";
import { callEndpoint } from "@/components/layout/use-endpoint";
import { isConfidential, recognize } from "@/components/search/recognize";
import { pageOrganization } from "@/lib/http/page-organization";
import type { SearchResult } from "@/lib/search/contract";

/** Filters by id, whose values are found by their names. */
const named = ["api_key_id", "user_id"] as const;
type Named = (typeof named)[number];

/** Characters of a name that are looked up: fewer where its filter is named, because any other text may be meant for the log. */
const MIN_NAME_LENGTH = 2;
const MIN_TEXT_LENGTH = 4;
const LONGEST = 200;
/** Hexadecimal digits of a trace id, which may also be a serial number. */
const TRACE_DIGITS = 32;

/** What the server is to be asked about a typed text. */
export interface Asked {
  q: string;
  /** The filters and pages that are looked for. */
  wanted: readonly (Named | "certificate")[];
  isExcluded: boolean;
  /** Said if nothing is found. */
  nothing: string | null;
}

/**
 * What the server is asked about the typed text: a serial number, a hint that no known key has, and names beyond those that the page
 * knows. Null for any other text, and for what may be a secret.
 */
export function askedAbout(text: string, known: KnownValues, mayOpenPages: boolean): Asked | null {
  if (isConfidential(text)) return null;
  const filter = typedFilter(text);
  const typed = filter === null ? text.trim() : lastOf(filter.typed);
  const isExcluded = filter?.isExcluded ?? false;
  const wanted = filter === null ? named : named.filter((name) => name === filter.name);
  const found = recognize(typed);
  if (found?.kind === "serial" && filter === null) {
    if (!mayOpenPages) return null;
    const isTrace = found.serial.length === TRACE_DIGITS;
    const nothing = isTrace ? null : "No certificate of the organization has this serial number.";
    return { q: found.serial, wanted: ["certificate"], isExcluded, nothing };
  }
  if (found?.kind === "hint") {
    const isKnown = known.api_key_id?.some(({ secretHint }) => secretHint === found.hint) ?? false;
    const nothing = "No key of the organization has had a secret with this hint.";
    return isKnown || !wanted.includes("api_key_id")
      ? null
      : { q: found.hint.toLowerCase(), wanted: ["api_key_id"], isExcluded, nothing };
  }
  const q = typed.toLowerCase();
  const others = wanted.filter((name) => {
    const values = known[name] ?? [];
    return values.length >= MAX_KNOWN && !values.some(({ value, label = "" }) => fits(q, value, label));
  });
  const least = filter === null ? MIN_TEXT_LENGTH : MIN_NAME_LENGTH;
  return q.length < least || q.length > LONGEST || others.length === 0
    ? null
    : { q, wanted: others, isExcluded, nothing: null };
}

/** Asks the server. Throws RequestFailed. */
export async function lookUp({ q, wanted, isExcluded, nothing }: Asked, signal: AbortSignal): Promise<Suggestion[]> {
  const { results } = await callEndpoint(
    async () => (await import("@/lib/search/contract")).searchOrganization,
    { id: pageOrganization() ?? "", q },
    signal,
  );
  const found = results.flatMap((result) => suggestionsOf(result, isExcluded)).filter(({ of }) => wanted.includes(of));
  if (found.length === 0 && nothing !== null) return [{ kind: "note", words: nothing }];
  return found.map(({ suggestion }) => suggestion);
}

function suggestionsOf(
  { type, id, name }: SearchResult,
  isExcluded: boolean,
): { of: Asked["wanted"][number]; suggestion: Suggestion }[] {
  const value = (of: Named) => [{ of, suggestion: toSuggestion(of, { value: id, label: name }, isExcluded) }];
  if (type === "api_key") return value("api_key_id");
  if (type === "member") return value("user_id");
  if (type !== "certificate") return [];
  return [
    { of: "certificate", suggestion: { kind: "page", href: `/certificates/${id}`, words: `Certificate of ${name}` } },
  ];
}
