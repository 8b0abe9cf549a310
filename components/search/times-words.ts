"use client";

import type { Times } from "@/components/search/times";
import { formatTime } from "@/components/time/time-format";
import { useNow, useTimeZone } from "@/components/ui/reader";
import { ranges } from "@/lib/audit-views/ranges";

/** The name of a range in the reader's zone: `Last hour`, `21 Nov 2026, 14:00 – 16:00`, `Since …`. */
export function useTimesWords(): (times: Times) => string {
  const [zone, now] = [useTimeZone(), useNow()];
  const words = (time: number) => formatTime(time, "minute", zone, now);
  return ({ since, until, range }) => {
    const usual = ranges.find(({ value }) => value === range);
    if (usual !== undefined) return usual.label;
    if (until === null) return `Since ${words(since)}`;
    const [first, last] = [words(since), words(until)];
    const day = first.slice(0, first.indexOf(",") + 1);
    return `${first} – ${last.startsWith(day) ? last.slice(day.length + 1) : last}`;
  };
}
