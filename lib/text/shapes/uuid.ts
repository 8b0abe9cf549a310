const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const WITHIN = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;

/** Whether a text is a UUID in lower case, as every id is. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** Each UUID that occurs in a text, once. */
export function uuidsIn(text: string): string[] {
  return [...new Set(text.match(WITHIN))];
}
