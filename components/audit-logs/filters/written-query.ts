/** Readable: only what would end a value is escaped. */
export function writtenQuery(query: Record<string, string | undefined>): string {
  return Object.entries(query)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value.replace(/[%&+]/g, encodeURIComponent)}`]))
    .join("&");
}

/** The filters in a query string of the audit log. */
export function logFilters(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}
