import type { AuditView } from "@/lib/audit-views/contract";

/** What of an address is a matter of the moment, and no part of a view that is kept. */
const OF_THE_MOMENT = new Set(["live", "entry"]);

/** What a view that is saved keeps of an address. */
export function queryOf(params: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(params).filter(([name]) => !OF_THE_MOMENT.has(name)));
}

/** The saved view that an address shows, if any: the caller's own before the organization's. */
export function shownView(views: readonly AuditView[], params: Record<string, string>): AuditView | undefined {
  const shown = written(queryOf(params));
  const found = views.filter(({ query }) => written(query) === shown);
  return found.find(({ scope }) => scope === "personal") ?? found[0];
}

function written(query: Record<string, string>): string {
  return JSON.stringify(Object.entries(query).sort());
}
