/**
 * How well words fit what somebody types, from 0 (not) to 1: each typed word must begin a word, or at least be part of one. Told
 * by words, not by scattered letters, so that it never offers what one did not mean.
 */
export function matches(text: string, typed: string): number {
  const search = typed.trim().toLowerCase();
  if (search === "") return 1;
  const target = text.toLowerCase();
  if (target.startsWith(search)) return 1;
  const words = target.split(/[^\p{L}\p{N}]+/u);
  let score = 0.8;
  for (const part of search.split(/\s+/)) {
    if (words.some((word) => word.startsWith(part))) continue;
    if (!target.includes(part)) return 0;
    score = 0.4;
  }
  return score;
}
