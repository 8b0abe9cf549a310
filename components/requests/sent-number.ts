/**
 * What is sent for the text of a control for a number. Any other text is sent as it is, so that the API names the field: a NaN would
 * become null in JSON, which means "no limit" in some fields.
 */
export function sentNumber(text: string): number {
  const typed = text.trim();
  return /^-?\d{1,15}(\.\d{1,15})?$/.test(typed) ? Number(typed) : (typed as unknown as number);
}

/** Like `sentNumber`; null if nothing is typed. */
export function sentNumberOrNull(text: string): number | null {
  return text.trim() === "" ? null : sentNumber(text);
}
