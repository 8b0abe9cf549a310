/** The parameters of a list that say its order, not what it has. */
export function orderOf({ sort = "", order = "" }: Record<string, string>): Record<string, string> {
  return { sort, order };
}

/** The parameters of a list that say what it has, not its order or page. */
export function filtersIn(params: Record<string, string>): Record<string, string> {
  const { sort: _sort, order: _order, cursor: _cursor, limit: _limit, ...filters } = params;
  return filters;
}

/** The URL of the same view with some parameters changed; null removes a parameter. Starts at the first page. */
export function hrefWith(path: string, params: Record<string, string>, changes: Record<string, string | null>): string {
  const next = new URLSearchParams();
  const changed: Record<string, string | null> = { ...params, cursor: null, ...changes };
  for (const [name, value] of Object.entries(changed)) if (value !== null && value !== "") next.set(name, value);
  return next.size > 0 ? `${path}?${next}` : path;
}
