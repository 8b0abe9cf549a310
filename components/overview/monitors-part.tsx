import { Quiet } from "@/components/overview/part";
import { plural } from "@/components/time/time-format";
import { MonitorsTable } from "@/components/uptime/monitors-table";
import type { Principal } from "@/lib/http/principal";
import { readUptimeDays } from "@/lib/uptime/checks/days";
import { listMonitors } from "@/lib/uptime/monitors/list-monitors";

const MAX_ROWS = 6;
const DAYS = 30;

/** The first monitors by urgency, each with its last 30 days. */
export async function MonitorsPart({ principal }: { principal: Principal }) {
  const { items, nextCursor } = await listMonitors(principal, { limit: MAX_ROWS, cursor: undefined, sort: "urgency" });
  if (items.length === 0) return <Quiet>No monitor checks whether your sites respond.</Quiet>;
  const ids = items.map(({ id }) => id);
  return (
    <>
      <MonitorsTable monitors={items} days={await readUptimeDays(principal, ids, DAYS)} />
      {nextCursor !== null && (
        <p className="px-4 pt-2 text-second sm:px-5">
          The first {plural(items.length, "monitor")}: those that are down first
        </p>
      )}
    </>
  );
}
