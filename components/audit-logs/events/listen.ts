import type { Connection } from "@/components/audit-logs/events/live-events";
import { setLiveState } from "@/components/audit-logs/events/live-state";
import { openStream } from "@/components/audit-logs/events/open-stream";
import { readNextPage } from "@/components/audit-logs/events/read-page";
import type { AuditEvent } from "@/lib/audit-logs/contract";
import type { AuditStats } from "@/lib/audit-logs/count/stats-contract";

/** The longest delay with which the entry of a slow request arrives after newer entries. */
const MAX_ARRIVAL_DELAY_MS = 60_000;

interface Live {
  /** The filters of the list, as a query string. */
  filters: string;
  /** Start of the range that the figures count. */
  since: string | undefined;
  /** Time of the newest entry that the list has. */
  newest: string;
  /** Maximum number of missed entries to fetch. */
  atMost: number;
  come: (events: AuditEvent[]) => void;
  connect: (connection: Connection) => void;
}

/** Passes on new entries and figures until the returned function is called. */
export function listen({ filters, since, newest, atMost, come, connect }: Live): () => void {
  let isOpen = true;
  const query = new URLSearchParams(filters);
  const from = new Date(Date.parse(newest) - MAX_ARRIVAL_DELAY_MS).toISOString();
  const missed = { ...Object.fromEntries(query), order: "asc", since: from, limit: "200" };
  query.set("include", "stats");
  if (since !== undefined) query.set("since", since);
  const close = openStream(`/api/v1/audit-logs/stream?${query}`, {
    open(isResumed) {
      connect("open");
      if (!isResumed) void catchUp(missed, atMost, (events) => isOpen && come(events));
    },
    cut: () => connect("cut"),
    over() {
      connect("over");
      setLiveState({ isOver: true });
    },
    events: {
      audit_event: (event) => come([event as AuditEvent]),
      audit_stats: (stats) => setLiveState({ stats: stats as AuditStats }),
    },
  });
  return () => {
    isOpen = false;
    close();
  };
}

/** Fetches the entries that were stored before the stream opened. After a failure, a reload of the list shows them. */
async function catchUp(
  query: Record<string, string>,
  atMost: number,
  come: (events: AuditEvent[]) => unknown,
): Promise<void> {
  let cursor: string | null | undefined;
  let left = atMost;
  while (cursor !== null && left > 0) {
    const page = await readNextPage({ query, cursor }).catch(() => null);
    if (page === null) return;
    come(page.events);
    cursor = page.cursor;
    left -= page.events.length;
  }
}
