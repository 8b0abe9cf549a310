"use client";

import { type PointerEvent, useState } from "react";
import { type Bin, rangeOfBars } from "@/components/audit-logs/figures/bins";
import { barClasses } from "@/components/audit-logs/figures/histogram-classes";
import { useExplorerView } from "@/components/audit-logs/views/explorer-view";
import { formatTime } from "@/components/time/time-format";
import { cx } from "@/components/ui/cx";
import { useNow, useTimeZone } from "@/components/ui/reader";
import { formatCount, plural } from "@/lib/text/counts";

/** The bars; dragging over them selects their time range. The table offers the same by keyboard. */
export function HistogramBars({ bars }: { bars: Bin[] }) {
  const { go, isGoing } = useExplorerView();
  const [over, setOver] = useState<number | null>(null);
  const [from, setFrom] = useState<number | null>(null);
  const most = Math.max(1, ...bars.map(({ requests }) => requests));
  const at = ({ currentTarget, clientX }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    return Math.min(bars.length - 1, Math.max(0, Math.floor(((clientX - left) / width) * bars.length)));
  };
  const cancel = () => {
    setFrom(null);
    setOver(null);
  };
  const [first, last] = [Math.min(from ?? over ?? -1, over ?? -1), Math.max(from ?? over ?? -1, over ?? -1)];
  return (
    <div
      aria-hidden="true"
      data-testid="histogram"
      className={cx("relative h-16 cursor-crosshair touch-pan-y select-none max-sm:h-12", isGoing && "opacity-60")}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setFrom(at(event));
        setOver(at(event));
      }}
      onPointerMove={(event) => setOver(at(event))}
      onPointerUp={(event) => {
        const chosen = from === null ? null : rangeOfBars(bars, from, at(event));
        cancel();
        if (chosen) go({ ...chosen, range: null, live: null });
      }}
      onPointerLeave={() => from === null && setOver(null)}
      onPointerCancel={cancel}
    >
      <div className="absolute inset-0 flex items-end gap-px">
        {bars.map((bar, index) => (
          <span
            key={bar.from}
            className={cx(
              "relative flex h-full min-w-0 flex-1 flex-col-reverse pt-2",
              index >= first && index <= last && "bg-seal-wash",
            )}
          >
            {barClasses.map(({ name, fill, count }) => (
              <span key={name} className={fill} style={{ height: `${share(count(bar), most)}%` }} />
            ))}
            {bar.security_events > 0 && (
              <span className="absolute top-0.5 left-1/2 size-1 -translate-x-1/2 rounded-full bg-bad" />
            )}
          </span>
        ))}
      </div>
      <Readout
        bars={bars.slice(Math.max(0, first), last + 1)}
        left={(over ?? 0) / bars.length}
        right={1 - ((over ?? 0) + 1) / bars.length}
        isDragging={from !== null}
      />
    </div>
  );
}

/** The height of a count in percent; a count above zero is always visible. */
function share(count: number, most: number): number {
  return count <= 0 ? 0 : Math.max(2, (count / most) * 100);
}

/** The counts of the hovered or selected bars, on the side of the pointer with more room. `left` and `right` are shares of the width. */
function Readout({ bars, left, right, isDragging }: { bars: Bin[]; left: number; right: number; isDragging: boolean }) {
  const zone = useTimeZone();
  const now = useNow();
  const [first] = bars;
  const last = bars.at(-1);
  if (!first || !last) return null;
  const sum = (count: (bar: Bin) => number) => bars.reduce((all, bar) => all + count(bar), 0);
  const security = sum((bar) => bar.security_events);
  const [start, end] = [first.from, last.to].map((time) => formatTime(time, "minute", zone, now));
  const isOneDay = start?.split(",")[0] === end?.split(",")[0];
  const side =
    right > left ? { left: `calc(${(1 - right) * 100}% + 8px)` } : { right: `calc(${(1 - left) * 100}% + 8px)` };
  return (
    <div
      className="pointer-events-none absolute top-0 z-30 w-max rounded-md bg-panel px-2.5 py-1.5 text-sm shadow-float"
      style={side}
    >
      <p className="pb-0.5 text-second">
        {start} – {isOneDay ? end?.split(", ")[1] : end}
      </p>
      <p className="font-medium tabular-nums">
        {plural(
          sum((bar) => bar.requests),
          "entry",
          "entries",
        )}
      </p>
      {barClasses.map(({ name, label, fill, count }) => {
        const events = sum(count);
        if (events === 0) return null;
        return (
          <p key={name} className="flex items-center gap-1.5 text-second">
            <span className={cx("size-2 rounded-xs", fill)} />
            {label} <span className="ml-auto pl-4 text-ink tabular-nums">{formatCount(events)}</span>
          </p>
        );
      })}
      {security > 0 && <p className="text-bad">{plural(security, "security event")}</p>}
      {isDragging && <p className="text-second">Release to select</p>}
    </div>
  );
}
