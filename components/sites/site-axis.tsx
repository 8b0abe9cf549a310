import type { ReactNode } from "react";
import { TimeAxis } from "@/components/charts/time-axis";
import { AXIS_DAYS, type Axis, LaneSkeleton } from "@/components/sites/lane";
import { AlertsLane, CertificatesLane, ChangesLane, IncidentsLane, IssuancesLane } from "@/components/sites/lanes";
import { Section } from "@/components/states/section";
import type { Principal } from "@/lib/http/principal";
import type { Site } from "@/lib/sites/find-site";
import { DAY_MS } from "@/lib/time/units";

/** What happened to a host in the last 90 days, one kind of event per lane. Each lane loads and fails by itself. */
export function SiteAxis(props: { principal: Principal; site: Site; axis: Axis }) {
  const { since } = props.axis;
  const lanes: { what: string; lane: ReactNode }[] = [
    { what: "The certificates served", lane: <CertificatesLane {...props} /> },
    { what: "The incidents", lane: <IncidentsLane {...props} /> },
    { what: "The alerts", lane: <AlertsLane {...props} /> },
    { what: "The certificates issued", lane: <IssuancesLane {...props} /> },
    { what: "The changes", lane: <ChangesLane {...props} /> },
  ];
  return (
    <section>
      <h2 className="px-4 pb-2 font-medium text-lg sm:px-5">Last {AXIS_DAYS} days</h2>
      <div className="border-t">
        {lanes.map(({ what, lane }) => (
          <Section key={what} what={what} fallback={<LaneSkeleton what={what} />}>
            {lane}
          </Section>
        ))}
      </div>
      <div className="grid grid-cols-1 gap-x-4 px-4 sm:grid-cols-[11rem_minmax(0,1fr)] sm:px-5">
        <span className="max-sm:hidden" />
        <TimeAxis starts={Array.from({ length: AXIS_DAYS }, (_, day) => since + day * DAY_MS)} />
      </div>
      <p className="px-4 pt-1 text-second text-sm sm:px-5">Select a row to see its events.</p>
    </section>
  );
}
