import type { Reading } from "@/components/charts/readout";
import { type StatusCounts, statusClasses } from "@/components/charts/status-classes";
import { formatTime } from "@/components/time/time-format";
import { formatCount, plural } from "@/lib/text/counts";

/** A bar of a half-open time range in Unix milliseconds. */
type Bar = { from: number; to: number } & StatusCounts;

/** What neighbouring bars say together: their time range in the reader's zone, and their counts. */
export function statusReading(bars: readonly Bar[], zone: string): Reading {
  const sum = (count: (bar: Bar) => number) => bars.reduce((all, bar) => all + count(bar), 0);
  const words = (time: number) => formatTime(time, "minute", zone, time);
  const [start, end] = [words(bars[0]?.from ?? 0), words(bars.at(-1)?.to ?? 0)];
  const [day, clock] = end.split(", ");
  return {
    title: `${start} – ${start.startsWith(`${day},`) ? clock : end}`,
    total: plural(
      sum(({ requests }) => requests),
      "entry",
      "entries",
    ),
    rows: statusClasses
      .map(({ name, fill, count }) => ({ name, swatch: fill, count: sum(count) }))
      .filter(({ count }) => count > 0)
      .map(({ count, ...row }) => ({ ...row, value: formatCount(count) })),
  };
}
