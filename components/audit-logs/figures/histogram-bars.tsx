"use client";

import type { PointerEvent } from "react";
import { type Bin, rangeOfBars } from "@/components/audit-logs/figures/bins";
import { useExplorerView } from "@/components/audit-logs/views/explorer-view";
import { PlotKeys, usePlace } from "@/components/charts/plot";
import { type Reading, Readout } from "@/components/charts/readout";
import { statusClasses } from "@/components/charts/status-classes";
import { statusReading } from "@/components/charts/status-reading";
import { cx } from "@/components/ui/cx";
import { useTimeZone } from "@/components/ui/reader";
import { plural } from "@/lib/text/counts";

/** The bars; dragging over them selects their time range. The table offers the same by keyboard. */
export function HistogramBars({ bars }: { bars: Bin[] }) {
  const { go, isGoing } = useExplorerView();
  const zone = useTimeZone();
  const [over, setOver] = usePlace(bars.length);
  const [from, setFrom] = usePlace(bars.length);
  const most = Math.max(1, ...bars.map(({ requests }) => requests));
  const at = ({ currentTarget, clientX }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    return Math.min(bars.length - 1, Math.max(0, Math.floor(((clientX - left) / width) * bars.length)));
  };
  const cancel = () => {
    setFrom(null);
    setOver(null);
  };
  const readingOf = (chosen: readonly Bin[]): Reading => {
    const reading = statusReading(chosen, zone);
    const security = chosen.reduce((sum, bar) => sum + bar.security_events, 0);
    return security === 0 ? reading : { ...reading, note: plural(security, "security event") };
  };
  const [first, last] = [Math.min(from ?? over ?? -1, over ?? -1), Math.max(from ?? over ?? -1, over ?? -1)];
  return (
    <div
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
      <div aria-hidden="true" className="absolute inset-0 flex items-end gap-px">
        {bars.map((bar, index) => (
          <span
            key={bar.from}
            className={cx(
              "relative flex h-full min-w-0 flex-1 flex-col-reverse pt-2",
              index >= first && index <= last && "bg-seal-wash",
            )}
          >
            {statusClasses.map(({ name, fill, count }) => (
              <span key={name} className={fill} style={{ height: `${share(count(bar), most)}%` }} />
            ))}
            {bar.security_events > 0 && (
              <span className="absolute top-0.5 left-1/2 size-1 -translate-x-1/2 rounded-full bg-bad" />
            )}
          </span>
        ))}
      </div>
      <PlotKeys
        label="Entries over time"
        count={bars.length}
        readingOf={(at) => readingOf(bars.slice(at, at + 1))}
        onShow={setOver}
      />
      {over !== null && (
        <Readout
          reading={readingOf(bars.slice(first, last + 1))}
          left={over / bars.length}
          right={1 - (over + 1) / bars.length}
        >
          {from !== null && <p className="text-second">Release to select</p>}
        </Readout>
      )}
    </div>
  );
}

/** The height of a count in percent; a count above zero is always visible. */
function share(count: number, most: number): number {
  return count <= 0 ? 0 : Math.max(2, (count / most) * 100);
}
