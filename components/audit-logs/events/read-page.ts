import type { AuditEvent } from "@/lib/audit-logs/contract";

/** One direction of reading: what is asked, and where the last page ended. */
export interface Feed {
  query: Record<string, string>;
  /** Undefined before the first page, null behind the last. */
  cursor: string | null | undefined;
}

interface EventsPage {
  events: AuditEvent[];
  cursor: string | null;
}

/** The next page of a feed, by the API. Throws RequestFailed. */
export async function readNextPage({ query, cursor }: Feed): Promise<EventsPage> {
  // Validation comes with the contract: it is fetched by who reads on.
  const [{ call }, { listAuditLogs }] = await Promise.all([
    import("@/lib/http/client"),
    import("@/lib/audit-logs/contract"),
  ]);
  const sent = { limit: 100, ...query, ...(cursor && { cursor }) } as (typeof listAuditLogs)["types"]["sent"];
  const { data, pagination } = await call(listAuditLogs, sent);
  return { events: data, cursor: pagination.next_cursor };
}
