import { Trend } from "@/components/charts/trend";
import { Data } from "@/components/table/table";
import { Ago } from "@/components/time/time";
import type { ApiKey } from "@/lib/api-keys/contract";
import type { DailyRequests } from "@/lib/api-keys/requests-by-day";
import { formatCount, plural } from "@/lib/text/counts";

/** The cells with recent requests of a key and its last use, as far as the table has these columns. */
export function Uses({
  apiKey: { id, last_used_at },
  requests,
  has,
}: {
  apiKey: ApiKey;
  requests: DailyRequests | null;
  has: (column: string) => boolean;
}) {
  const series = requests?.byKey.get(id);
  const sum = series?.reduce((all, each) => all + each, 0) ?? 0;
  return (
    <>
      {has("days") && (
        <Data className="max-sm:hidden lg:max-xl:hidden">
          {series && (
            <Trend
              series={series}
              tone="seal"
              label={`${plural(sum, "request")} in ${plural(series.length, "UTC day")}, at most ${formatCount(Math.max(...series))} in one day`}
            />
          )}
        </Data>
      )}
      {has("requests") && (
        <Data numeric className="max-sm:hidden">
          {sum > 0 ? formatCount(sum) : <span className="text-third">{requests === null ? "–" : "0"}</span>}
        </Data>
      )}
      {has("used") && (
        <Data>{last_used_at ? <Ago value={last_used_at} /> : <span className="text-third">never</span>}</Data>
      )}
    </>
  );
}
