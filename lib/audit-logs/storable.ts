/** Text that PostgreSQL can store: U+FFFD replaces NUL and lone surrogates. Also applied to search terms. */
export function storable(text: string): string {
  return text.replace(/[\0\p{Cs}]/gu, "\uFFFD");
}

/** JSON text with the same replacements: jsonb has the same restrictions as text. */
export function storableJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => (typeof part === "string" ? storable(part) : part));
}
