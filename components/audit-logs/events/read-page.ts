import type { AuditEvent } from "@/lib/audit-logs/contract";

/** One loading direction of the list: its query, and the cursor of the next page. */
export interface Feed {
  query: Record<string, string>;
  /** Undefined before the first page, null after the last. */
  cursor: string | null | undefined;
}

interface EventsPage {
  events: AuditEvent[];
  cursor: string | null;
}

/** Fetches the next page of a feed from the API. Throws RequestFailed. */
export async function readNextPage({ query, cursor }: Feed): Promise<EventsPage> {
  // The contract brings the validation library, so it is loaded only when a reader needs another page.
  const [{ call }, { listAuditLogs }] = await Promise.all([
    import("@/lib/http/client"),
    import("@/lib/audit-logs/contract"),
  ]);
  const sent = { limit: 100, ...query, ...(cursor && { cursor }) } as (typeof listAuditLogs)["types"]["sent"];
  const { data, pagination } = await call(listAuditLogs, sent);
  return { events: data, cursor: pagination.next_cursor };
}
