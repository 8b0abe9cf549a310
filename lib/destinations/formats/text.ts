/** Characters of a text that formats for other products keep. Longer than any text of an ordinary request. */
export const MAX_TEXT = 8_192;

/** Text that is well-formed Unicode, cut to `max` characters (UTF-16) without splitting one; null and an empty text become undefined. */
export function text(value: string | null | undefined, max = MAX_TEXT): string | undefined {
  if (value === null || value === undefined || value === "") return undefined;
  const isSplit = value.length > max && /[\uD800-\uDBFF]/.test(value.charAt(max - 1));
  return value.slice(0, isSplit ? max - 1 : max).replace(/\p{Cs}/gu, "\uFFFD");
}

/** An integer within `Number.MAX_SAFE_INTEGER`, otherwise undefined. */
export function integer(value: number | null | undefined): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(Math.round(value)) ? Math.round(value) : undefined;
}

/** The members that are not undefined. Undefined itself without any. */
export function object<Members extends object>(
  members: Members,
): { [Name in keyof Members]: Members[Name] } | undefined {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return entries.length === 0 ? undefined : (Object.fromEntries(entries) as Members);
}
