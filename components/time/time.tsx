"use client";

import { formatAgo, formatSpan, formatTime, formatUtc, type TimeStyle, zoneName } from "@/components/time/time-format";
import { useNow, useTimeZone } from "@/components/ui/reader";

/** A time in the reader's time zone; the tooltip has UTC. */
export function Time({ value, style = "minute" }: { value: string; style?: TimeStyle }) {
  const zone = useTimeZone();
  const now = useNow();
  const time = Date.parse(value);
  return (
    <time dateTime={value} title={formatUtc(time)} className="whitespace-nowrap tabular-nums" suppressHydrationWarning>
      {formatTime(time, style, zone, now)}
    </time>
  );
}

/** A relative time: `3 hours ago`, `in 12 days`. The tooltip has the local time and UTC. */
export function Ago({ value }: { value: string }) {
  const zone = useTimeZone();
  const now = useNow();
  const time = Date.parse(value);
  const title = `${formatTime(time, "full", zone, now)} ${zoneName(zone, time)}\n${formatUtc(time)}`;
  return (
    <time dateTime={value} title={title} className="whitespace-nowrap" suppressHydrationWarning>
      {formatAgo(time, now)}
    </time>
  );
}

/** The duration since a time: `3 hours`. The tooltip has the local time and UTC. */
export function Lasting({ since }: { since: string }) {
  const zone = useTimeZone();
  const now = useNow();
  const time = Date.parse(since);
  const title = `since ${formatTime(time, "full", zone, now)} ${zoneName(zone, time)}\n${formatUtc(time)}`;
  return (
    <time dateTime={since} title={title} className="whitespace-nowrap" suppressHydrationWarning>
      {formatSpan(now - time)}
    </time>
  );
}

/** The reader's time zone, such as `UTC+1`. */
export function ZoneName() {
  const zone = useTimeZone();
  const now = useNow();
  return <span suppressHydrationWarning>{zoneName(zone, now)}</span>;
}
