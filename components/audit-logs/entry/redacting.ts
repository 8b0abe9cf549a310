/** The entries that were redacted from this page: they change once more, unlike all other sealed entries. */
export const redacting = new Set<string>();
