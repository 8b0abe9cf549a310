import { EmptySection } from "@/components/states/empty-section";
import { MonitorsTable } from "@/components/uptime/list/monitors-table";
import { readMonitors } from "@/components/uptime/list/read-monitors";
import type { Principal } from "@/lib/http/principal";
import { plural } from "@/lib/text/counts";

const MAX_ROWS = 6;

/** The first monitors by urgency, each with its last 30 days. */
export async function MonitorsPart({ principal }: { principal: Principal }) {
  const { items, nextCursor } = await readMonitors(principal, { limit: MAX_ROWS, cursor: undefined, sort: "urgency" });
  if (items.length === 0) return <EmptySection>No monitor checks whether your sites respond.</EmptySection>;
  return (
    <>
      <MonitorsTable monitors={items} />
      {nextCursor !== null && (
        <p className="px-4 pt-2 text-second sm:px-5">The first {plural(items.length, "monitor")}, down first</p>
      )}
    </>
  );
}
