import Link from "next/link";
import { Lines } from "@/components/charts/lines";
import { UptimeBars } from "@/components/charts/uptime-bars";
import { AXIS_DAYS, type Axis } from "@/components/sites/lane";
import { Status } from "@/components/ui/badge";
import { responseLines } from "@/components/uptime/response-lines";
import { msWords, percentWords, statusTone } from "@/components/uptime/words";
import type { Principal } from "@/lib/http/principal";
import { readUptimeDays } from "@/lib/uptime/checks/days";
import type { Monitor } from "@/lib/uptime/contract";
import { monitorStatusLabels } from "@/lib/uptime/labels";
import { getUptimeStats } from "@/lib/uptime/monitors/stats";

/** The uptime and the response times of a monitor on the axis of the page. */
export async function SiteUptime({ principal, monitor, axis }: { principal: Principal; monitor: Monitor; axis: Axis }) {
  const { id, name, target, status } = monitor;
  const [stats, days] = await Promise.all([
    getUptimeStats(principal, { id, since: axis.since, until: axis.until, interval: "day" }),
    readUptimeDays(principal, [id], AXIS_DAYS),
  ]);
  const { uptime_percent, response_time_ms } = stats.windows.last_90d;
  return (
    <section className="px-4 pt-8 sm:px-5">
      <div className="flex flex-wrap items-baseline gap-x-4 pb-2">
        <h2 className="font-medium text-lg">
          Uptime of{" "}
          <Link href={`/uptime/${id}`} className="text-seal underline underline-offset-2">
            {name}
          </Link>
        </h2>
        <Status tone={statusTone[status]}>{monitorStatusLabels[status]}</Status>
        <span className="break-all font-mono text-second text-sm">{target}</span>
      </div>
      <UptimeBars days={days.get(id) ?? []} tall />
      <p className="mt-2 text-second tabular-nums">
        {uptime_percent === null
          ? `No checks in ${AXIS_DAYS} days.`
          : `${percentWords(uptime_percent)} uptime in ${AXIS_DAYS} days · response time p50 ${msWords(response_time_ms.p50)} · p95 ${msWords(response_time_ms.p95)} · p99 ${msWords(response_time_ms.p99)}`}
      </p>
      {response_time_ms.p50 !== null && (
        <div className="mt-4">
          <Lines
            label={`Response times of ${name}`}
            by={stats.interval}
            lines={responseLines}
            points={stats.series.map(({ start, response_time_ms: values }) => ({ start, values }))}
          />
        </div>
      )}
    </section>
  );
}
