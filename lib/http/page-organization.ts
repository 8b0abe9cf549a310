/** The header in which the dashboard names the organization of its page, because another tab may have selected another. */
export const ORGANIZATION_HEADER = "Sealwatch-Organization";

let shown: string | null = null;

/** Sets the organization that the page in this browser shows; null for a page of none. */
export function setPageOrganization(id: string | null): void {
  shown = id;
}

/** The organization that the page in this browser shows; null if it shows none. */
export function pageOrganization(): string | null {
  return shown;
}

/** The headers of a request that this page sends. */
export function organizationHeaders(): Record<string, string> {
  return shown === null ? {} : { [ORGANIZATION_HEADER]: shown };
}
