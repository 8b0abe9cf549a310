import type { AuditView } from "@/lib/audit-views/contract";

/** Parameters that are not part of a saved view. */
const UNSAVED = new Set(["live", "entry", "facets"]);

/** The parameters of the URL that a saved view keeps. */
export function queryOf(params: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(params).filter(([name]) => !UNSAVED.has(name)));
}

/** The saved view that the URL shows, if any; a personal view comes before one of the organization. */
export function shownView(views: readonly AuditView[], params: Record<string, string>): AuditView | undefined {
  const shown = written(queryOf(params));
  const found = views.filter(({ query }) => written(query) === shown);
  return found.find(({ scope }) => scope === "personal") ?? found[0];
}

function written(query: Record<string, string>): string {
  return JSON.stringify(Object.entries(query).sort());
}
