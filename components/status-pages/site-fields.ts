import { endpointName } from "@/components/certificates/inventory/names";
import type { StatusSite } from "@/lib/status-pages/contract";

export interface Choice {
  id: string;
  name: string;
}

/** A monitor or endpoint that a site can show. */
export interface SiteChoices {
  monitors: readonly Choice[];
  endpoints: readonly Choice[];
}

/** The choices of a form, of which there may be more. */
export interface ListedSiteChoices extends SiteChoices {
  isCut: boolean;
}

/** A site as the form edits it; nothing chosen is an empty text. */
export interface SiteFields {
  /** The React list key of the row. */
  row: number;
  /** Undefined for a new site, whose slug is made from its label. */
  slug: string | undefined;
  label: string;
  monitorId: string;
  endpointId: string;
}

/**
 * The stored sites as the form edits them. What was deleted is no longer chosen, and a site that shows nothing is left out. The choices
 * include what the sites showed that they were read for: what others show beside them was added since.
 */
export function toSiteFields(
  sites: readonly StatusSite[],
  { monitors, endpoints }: SiteChoices,
  readFor = sites,
): SiteFields[] {
  const shown = new Set(readFor.flatMap(({ monitor_id, endpoint_id }) => [monitor_id, endpoint_id]));
  const existing = (id: string | null, choices: readonly Choice[]) =>
    id !== null && (!shown.has(id) || choices.some((choice) => choice.id === id)) ? id : "";
  return sites
    .map(({ slug, label, monitor_id, endpoint_id }, row) => ({
      row,
      slug,
      label,
      monitorId: existing(monitor_id, monitors),
      endpointId: existing(endpoint_id, endpoints),
    }))
    .filter(({ monitorId, endpointId }) => monitorId !== "" || endpointId !== "");
}

/** The sites as the API accepts them. */
export function toSiteInput(sites: readonly SiteFields[]) {
  return sites.map(({ slug, label, monitorId, endpointId }) => ({
    ...(slug !== undefined && { slug }),
    label,
    monitor_id: monitorId === "" ? null : monitorId,
    endpoint_id: endpointId === "" ? null : endpointId,
  }));
}

/** Moves a site by one place; at the ends nothing changes. */
export function moved(sites: readonly SiteFields[], at: number, by: 1 | -1): SiteFields[] {
  const next = [...sites];
  const [site] = next.splice(at, 1);
  if (site !== undefined) next.splice(Math.max(0, at + by), 0, site);
  return next;
}

/** The endpoints as choices. */
export function endpointChoices(endpoints: readonly { id: string; host: string; port: number }[]): Choice[] {
  return endpoints.map((endpoint) => ({ id: endpoint.id, name: endpointName(endpoint) }));
}

/** Each choice once, in the order of their names. */
export function uniqueChoices(choices: readonly Choice[]): Choice[] {
  return [...new Map(choices.map(({ id, name }) => [id, { id, name }])).values()].sort((a, b) =>
    a.name.localeCompare(b.name, "en", { numeric: true }),
  );
}
