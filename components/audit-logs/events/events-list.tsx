import { EventsLive } from "@/components/audit-logs/events/events-live";
import { readFirst } from "@/components/audit-logs/events/read-first";
import type { View } from "@/components/audit-logs/views/view";
import type { ListQuery } from "@/lib/audit-logs/contract";
import type { Principal } from "@/lib/http/principal";

/** The entries that the URL selects. */
export async function EventsList({ principal, view, query }: { principal: Principal; view: View; query: ListQuery }) {
  const first = await readFirst(principal, view, query);
  // Each render of the page is a new list: pages loaded for an earlier one must not mix with it.
  return <EventsLive key={`${JSON.stringify(view.query)} ${Date.now()}`} first={first} />;
}
