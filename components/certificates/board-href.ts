/** The address of the board with these parameters; empty ones are left out. */
export function boardHref(params: Record<string, string>): string {
  const kept = Object.entries(params).filter(([, value]) => value !== "");
  return kept.length === 0 ? "/certificates" : `/certificates?${new URLSearchParams(kept)}`;
}
