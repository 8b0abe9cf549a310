"use client";

import { formatAgo, formatSpan, formatTime, formatUtc, type TimeStyle, zoneName } from "@/components/time/time-format";
import { useNow, useTimeZone } from "@/components/ui/reader";

/** A time in the reader's zone; UTC is in its title. */
export function Time({ value, style = "minute" }: { value: string; style?: TimeStyle }) {
  const zone = useTimeZone();
  const now = useNow();
  const time = Date.parse(value);
  return (
    <time dateTime={value} title={formatUtc(time)} className="whitespace-nowrap" suppressHydrationWarning>
      {formatTime(time, style, zone, now)}
    </time>
  );
}

/** How long ago, or in how long; the time itself and UTC are in its title. */
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

/** How long it has lasted since then: `3 hours`; the time itself and UTC are in its title. */
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

/** The reader's zone, as `UTC+1`. */
export function ZoneName() {
  const zone = useTimeZone();
  const now = useNow();
  return <span suppressHydrationWarning>{zoneName(zone, now)}</span>;
}
