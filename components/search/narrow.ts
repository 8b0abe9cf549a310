import { isConfidential, recognize } from "@/components/search/recognize";
import type { SearchResult } from "@/lib/search/contract";

const MIN_LENGTH = 2;
const MAX_LENGTH = 200;

/** The text that a search may be asked for; null if it is too short or long, or may be a secret. */
export function searchable(typed: string): string | null {
  if (isConfidential(typed)) return null;
  const found = recognize(typed);
  const text = exactText(found) ?? typed.trim().toLowerCase();
  return text.length < MIN_LENGTH || text.length > MAX_LENGTH ? null : text;
}

/** Texts that match only as a whole, without the text pasted around them. */
function exactText(found: ReturnType<typeof recognize>): string | null {
  switch (found?.kind) {
    case "id":
      return found.id;
    case "fingerprint":
      return found.sha256;
    case "serial":
      return found.serial;
    case "hint":
      return found.hint.toLowerCase();
    case "host":
      return found.host;
    default:
      return null;
  }
}

/** Whether the results for `asked` include all results for the longer `q`: only if none was left out, and both are parts of names. */
export function isCoveredBy(q: string, asked: string, { has_more }: { has_more: boolean }): boolean {
  const isExact = /^[0-9a-f: -]{8,}$|^sw_..…/.test(q);
  return !has_more && !isExact && q.includes(asked);
}

/** The results of which a name, detail or id contains the text. */
export function matching(results: readonly SearchResult[], q: string): readonly SearchResult[] {
  return results.filter(({ name, detail }) => name.toLowerCase().includes(q) || detail?.toLowerCase().includes(q));
}
