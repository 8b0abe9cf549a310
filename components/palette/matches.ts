/**
 * How well a text matches the typed words, from 0 (no match) to 1. Each typed word must start a word or be part of one.
 * Scattered letters do not match, because they would offer results that the user did not mean.
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
