/** The parameters of the audit log page for all entries that match filters of the API, which hide no reads in the dashboard. */
export function matchingEntries(filters: Readonly<Record<string, string | undefined>>): URLSearchParams {
  const named = Object.entries(filters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return new URLSearchParams(filters.via === undefined ? [...named, ["reads", "shown"]] : named);
}
