import { Lines } from "@/components/charts/lines";
import { UptimeBars } from "@/components/charts/uptime-bars";
import type { Range } from "@/components/statistics/range";
import { RangeLinks } from "@/components/statistics/range-links";
import { formatSpan } from "@/components/time/time-format";
import { responseLines } from "@/components/uptime/response-lines";
import { msWords, percentWords } from "@/components/uptime/words";
import type { Principal } from "@/lib/http/principal";
import { plural } from "@/lib/text/counts";
import { readUptimeDays } from "@/lib/uptime/checks/days";
import type { Monitor } from "@/lib/uptime/contract";
import { getUptimeStats } from "@/lib/uptime/monitors/stats";

const windows = [
  ["last_24h", "24 hours"],
  ["last_7d", "7 days"],
  ["last_30d", "30 days"],
  ["last_90d", "90 days"],
] as const;

/** A monitor's uptime by day and by window, and its response times over the range. */
export async function MonitorMeasures({
  principal,
  monitor: { id, type },
  range,
}: {
  principal: Principal;
  monitor: Pick<Monitor, "id" | "type">;
  range: Range;
}) {
  const [stats, days] = await Promise.all([
    getUptimeStats(principal, { id, since: range.since, until: range.until, interval: undefined }),
    readUptimeDays(principal, [id], 90),
  ]);
  const heading = "mb-2 text-second text-xs";
  return (
    <div className="grid gap-7">
      <section>
        <h2 className={heading}>Last 90 days</h2>
        <UptimeBars days={days.get(id) ?? []} tall />
        <table className="mt-3 w-full tabular-nums">
          <caption className="sr-only">Uptime and response times by period</caption>
          <thead>
            <tr className="text-second text-sm">
              <th scope="col" className="h-7 border-b text-left font-normal">
                Period
              </th>
              {["Uptime", "p50", "p95", "p99"].map((name) => (
                <th key={name} scope="col" className="h-7 border-b text-right font-normal">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {windows.map(([name, words]) => {
              const { uptime_percent, response_time_ms: times } = stats.windows[name];
              return (
                <tr key={name}>
                  <th scope="row" className="h-7 border-b text-left font-normal text-second">
                    {words}
                  </th>
                  <td className="h-7 border-b text-right">{percentWords(uptime_percent)}</td>
                  {(["p50", "p95", "p99"] as const).map((at) => (
                    <td key={at} className="h-7 border-b text-right">
                      {msWords(times[at])}
                    </td>
                  ))}
                </tr>
              );
            })}
          </tbody>
        </table>
      </section>
      <section>
        <div className="mb-3 flex flex-wrap items-center justify-between gap-2">
          <h2 className="text-second text-xs">Response time</h2>
          <RangeLinks path={`/uptime/${id}`} chosen={range.preset} />
        </div>
        {type === "heartbeat" ? (
          <p className="border-y py-2.5 text-second">A heartbeat is called and has no response times.</p>
        ) : stats.response_time_ms.p50 === null ? (
          <p className="border-y py-2.5 text-second">No successful checks in this range.</p>
        ) : (
          <Lines
            label="Response times"
            by={stats.interval}
            lines={responseLines}
            points={stats.series.map(({ start, response_time_ms }) => ({ start, values: response_time_ms }))}
          />
        )}
        <p className="mt-2 text-second text-sm">
          {plural(stats.checks, "check")}, {plural(stats.failures, "failure")}
          {stats.maintenance_checks > 0 && `, ${plural(stats.maintenance_checks, "check")} in maintenance`}
          {stats.incidents > 0 &&
            `, ${plural(stats.incidents, "incident")} and ${formatSpan(stats.downtime_seconds * 1000)} down`}
          .
        </p>
      </section>
    </div>
  );
}
