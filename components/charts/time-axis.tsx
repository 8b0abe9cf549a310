"use client";

import { timeLabels } from "@/components/charts/time-labels";
import { useTimeZone } from "@/components/ui/reader";

/** The labels under bars that start at these times (Unix milliseconds), in the reader's time zone. */
export function TimeAxis({ starts }: { starts: readonly number[] }) {
  const zone = useTimeZone();
  return (
    <div aria-hidden="true" className="relative h-[21px] border-t pt-1 font-mono text-second text-xs">
      {timeLabels(starts, zone).map(({ at, text }, nth) => (
        <span
          key={at}
          className={`absolute whitespace-nowrap ${nth % 2 === 0 ? "" : "max-sm:hidden"}`}
          style={{ left: `${(at / starts.length) * 100}%` }}
        >
          {text}
        </span>
      ))}
    </div>
  );
}
