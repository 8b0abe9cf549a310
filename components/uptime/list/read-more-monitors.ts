import type { ListPart } from "@/components/table/infinite/list-part";
import type { ListedMonitor } from "@/components/uptime/list/read-monitors";
import { organizationHeaders } from "@/lib/http/page-organization";

/** The order without a choice: what needs attention first. */
export const USUAL_SORT = "urgency";

/** Reads the part of the list of the page's URL after a cursor. Throws RequestFailed. */
export async function readMoreMonitors(
  params: Record<string, string>,
  cursor: string,
): Promise<ListPart<ListedMonitor, string>> {
  // Not from the API, whose monitors have no days.
  const [{ RequestFailed }, { NO_LONGER_MEMBER, SESSION_OVER }, response] = await Promise.all([
    import("@/lib/http/client"),
    import("@/lib/text/session-over"),
    fetch(`/uptime/more?${new URLSearchParams({ ...params, cursor })}`, { headers: organizationHeaders() }),
  ]);
  if (response.status === 401) throw new RequestFailed(401, "UNAUTHENTICATED", SESSION_OVER);
  if (response.status === 403) throw new RequestFailed(403, "INVALID_REQUEST", NO_LONGER_MEMBER);
  if (!response.ok) throw new RequestFailed(response.status, "INTERNAL_ERROR", "The list could not be read.");
  return response.json();
}
