import { AlertsTable } from "@/components/alerts/alerts-table";
import { NobodyNotified } from "@/components/alerts/nobody-notified";
import { readAlerts } from "@/components/alerts/read-alerts";
import { Quiet } from "@/components/overview/part";
import type { Principal } from "@/lib/http/principal";

const MAX_ROWS = 6;

/** Open alerts, most severe first, or a note that there are none. */
export async function AlertsPart({ principal }: { principal: Principal }) {
  const { lasting } = await readAlerts(principal, {});
  const open = (lasting ?? []).filter(({ status }) => status === "open");
  const others = (lasting ?? []).length - open.length;
  if (open.length === 0) {
    return (
      <>
        <NobodyNotified principal={principal} />
        <Quiet>{others === 0 ? "No alert is open." : `No alert is open; ${others} acknowledged or snoozed.`}</Quiet>
      </>
    );
  }
  return (
    <>
      <NobodyNotified principal={principal} />
      <AlertsTable label="Open alerts" alerts={open.slice(0, MAX_ROWS)} />
      {open.length > MAX_ROWS && (
        <p className="px-4 pt-2 text-second sm:px-5">and {open.length - MAX_ROWS} more open</p>
      )}
    </>
  );
}
