import { EventsLive } from "@/components/audit-logs/events/events-live";
import { readFirst } from "@/components/audit-logs/events/read-first";
import type { View } from "@/components/audit-logs/views/view";
import type { ListQuery } from "@/lib/audit-logs/contract";
import type { Principal } from "@/lib/http/principal";

/** The entries that an address asks for. */
export async function EventsList({ principal, view, query }: { principal: Principal; view: View; query: ListQuery }) {
  const first = await readFirst(principal, view, query);
  // Each reading is a list of its own: nothing that was read on belongs to another.
  return <EventsLive key={`${JSON.stringify(view.query)} ${Date.now()}`} first={first} />;
}
