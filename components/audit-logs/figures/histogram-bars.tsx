"use client";

import { type PointerEvent, useState } from "react";
import { type Bin, rangeOfBars } from "@/components/audit-logs/figures/bins";
import { useExplorerView } from "@/components/audit-logs/views/explorer-view";
import { formatTime, plural } from "@/components/time/time-format";
import { cx } from "@/components/ui/cx";
import { useNow, useTimeZone } from "@/components/ui/reader";

/** From bottom to top. */
const classes = [
  { name: "status_2xx", fill: "bg-seal/40" },
  { name: "status_3xx", fill: "bg-third/50" },
  { name: "status_4xx", fill: "bg-warn/75" },
  { name: "status_5xx", fill: "bg-bad" },
] as const;

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
      className={cx(
        "relative h-16 cursor-crosshair touch-pan-y select-none border-b max-sm:h-12",
        isGoing && "opacity-60",
      )}
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
              "relative flex h-full min-w-0 flex-1 flex-col-reverse",
              index >= first && index <= last && "bg-seal-wash",
            )}
          >
            {classes.map(({ name, fill }) => (
              <span key={name} className={fill} style={{ height: `${share(bar[name], most)}%` }} />
            ))}
            <Rest bar={bar} most={most} />
            {bar.security_events > 0 && <span className="absolute inset-x-0 -bottom-[3px] h-[3px] bg-bad" />}
          </span>
        ))}
      </div>
      <Caption bars={bars.slice(Math.max(0, first), last + 1)} isDragging={from !== null} />
    </div>
  );
}

/** Events that are not requests and have no status. */
function Rest({ bar, most }: { bar: Bin; most: number }) {
  const rest = bar.requests - classes.reduce((sum, { name }) => sum + bar[name], 0);
  return <span className="bg-third/30" style={{ height: `${share(rest, most)}%` }} />;
}

/** The height of a count in percent; a count above zero is always visible. */
function share(count: number, most: number): number {
  return count <= 0 ? 0 : Math.max(2, (count / most) * 100);
}

/** The counts of the hovered or selected bars. */
function Caption({ bars, isDragging }: { bars: Bin[]; isDragging: boolean }) {
  const zone = useTimeZone();
  const now = useNow();
  const [first] = bars;
  const last = bars.at(-1);
  if (!first || !last) return null;
  const sum = (name: "requests" | "status_4xx" | "status_5xx" | "security_events") =>
    bars.reduce((all, bar) => all + bar[name], 0);
  return (
    <p className="pointer-events-none absolute -top-1 left-0 whitespace-nowrap rounded-xs bg-panel/90 px-1 text-second text-xs">
      {formatTime(first.from, "minute", zone, now)} – {formatTime(last.to, "minute", zone, now)} ·{" "}
      {plural(sum("requests"), "entry", "entries")}, {sum("status_4xx") + sum("status_5xx")} refused or failed,{" "}
      {plural(sum("security_events"), "security event")}
      {isDragging && " · release to select"}
    </p>
  );
}
