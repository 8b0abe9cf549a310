/** Text as PostgreSQL can hold it: U+FFFD stands for NUL and for a half of a surrogate pair. What is asked for is put likewise. */
export function storable(text: string): string {
  return text.replace(/[\0\p{Cs}]/gu, "\uFFFD");
}

/** The same for what becomes jsonb, which refuses what text refuses. */
export function storableJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => (typeof part === "string" ? storable(part) : part));
}
