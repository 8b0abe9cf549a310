import { AlertsTable } from "@/components/alerts/list/alerts-table";
import { readMostUrgent } from "@/components/alerts/list/read-alerts";
import { NobodyNotified } from "@/components/alerts/nobody-notified";
import { EmptySection } from "@/components/states/empty-section";
import { countOpenAlerts } from "@/lib/alerts/count-open";
import type { Principal } from "@/lib/http/principal";
import { formatCount } from "@/lib/text/counts";

const MAX_ROWS = 6;

/** Open alerts, most severe first, or a note that there are none, below a warning where nobody would be notified. */
export function AlertsPart({ principal }: { principal: Principal }) {
  return (
    <>
      <NobodyNotified principal={principal} />
      <OpenAlerts principal={principal} />
    </>
  );
}

async function OpenAlerts({ principal }: { principal: Principal }) {
  const counts = await countOpenAlerts(principal);
  const open = await readMostUrgent(principal, MAX_ROWS, counts);
  const sum = (isOpen: boolean) =>
    counts.filter(({ status }) => (status === "open") === isOpen).reduce((total, { count }) => total + count, 0);
  const [openCount, others] = [sum(true), sum(false)];
  if (open.length === 0)
    return (
      <EmptySection>
        {others === 0 ? "No alert is open." : `No alert is open; ${others} acknowledged or snoozed.`}
      </EmptySection>
    );
  return (
    <>
      <AlertsTable label="Open alerts" alerts={open} />
      {openCount > MAX_ROWS && (
        <p className="px-4 pt-2 text-second sm:px-5">and {formatCount(openCount - MAX_ROWS)} more open</p>
      )}
    </>
  );
}
