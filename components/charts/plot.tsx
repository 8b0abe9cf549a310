"use client";

import { type PointerEvent, type ReactNode, useState } from "react";
import { type Reading, Readout, readingText } from "@/components/charts/readout";
import { cx } from "@/components/ui/cx";

/**
 * The area of a chart with `count` places: bars, or with `isLine` points from one end to the other. It shows the reading of the place
 * under the pointer, or of the one that the arrow keys choose.
 */
export function Plot({
  label,
  count,
  readingOf,
  isLine = false,
  height,
  className,
  children,
}: {
  label: string;
  count: number;
  readingOf: (at: number) => Reading;
  isLine?: boolean;
  /** In pixels. */
  height: number;
  className?: string;
  children: ReactNode;
}) {
  const [at, setAt] = usePlace(count);
  const [left, right] = at === null ? [0, 0] : edges(at, count, isLine);
  const point = (event: PointerEvent) => setAt(placeOf(event, count, isLine));
  return (
    <div
      className={cx("relative", className)}
      style={{ height }}
      onPointerDown={point}
      onPointerMove={point}
      onPointerLeave={() => setAt(null)}
    >
      {at !== null && (
        <span
          className={cx("absolute inset-y-0", isLine ? "border-strong border-l" : "bg-seal-wash")}
          style={{ left: `${left * 100}%`, right: `${right * 100}%` }}
        />
      )}
      {children}
      {count > 0 && <PlotKeys label={label} count={count} readingOf={readingOf} onShow={setAt} />}
      {at !== null && <Readout reading={readingOf(at)} left={left} right={right} />}
    </div>
  );
}

/** A place of a chart with `count` of them, and how to set it. It is the last one at most, also after the count has become lower. */
export function usePlace(count: number): [number | null, (at: number | null) => void] {
  const [at, setAt] = useState<number | null>(null);
  return [at === null ? null : Math.min(at, count - 1), setAt];
}

/**
 * Lets the keyboard choose a place of a chart, the last one first. The element around it looks focused. The place is kept while the
 * chart shows another one, under the pointer, or none.
 */
export function PlotKeys({
  label,
  count,
  readingOf,
  onShow,
}: {
  label: string;
  count: number;
  readingOf: (at: number) => Reading;
  /** Null if no place is shown. */
  onShow: (at: number | null) => void;
}) {
  const [place, setPlace] = usePlace(count);
  const value = place ?? count - 1;
  return (
    <span className="pointer-events-none absolute inset-0 rounded-xs has-focus-visible:outline-2 has-focus-visible:outline-seal has-focus-visible:outline-offset-2">
      <input
        type="range"
        aria-label={label}
        aria-valuetext={readingText(readingOf(value))}
        min={0}
        max={count - 1}
        value={value}
        onChange={(event) => {
          setPlace(Number(event.target.value));
          onShow(Number(event.target.value));
        }}
        onFocus={(event) => event.target.matches(":focus-visible") && onShow(value)}
        onBlur={() => onShow(null)}
        onKeyDown={(event) => event.key === "Escape" && onShow(null)}
        className="sr-only"
      />
    </span>
  );
}

/** The place under the pointer. */
function placeOf({ currentTarget, clientX }: PointerEvent, count: number, isLine: boolean): number {
  const { left, width } = currentTarget.getBoundingClientRect();
  const share = Math.min(1, Math.max(0, (clientX - left) / width));
  return isLine ? Math.round(share * (count - 1)) : Math.min(count - 1, Math.floor(share * count));
}

/** The shares of the width to the left and to the right of a place. */
function edges(at: number, count: number, isLine: boolean): [number, number] {
  if (!isLine) return [at / count, 1 - (at + 1) / count];
  const share = count === 1 ? 0.5 : at / (count - 1);
  return [share, 1 - share];
}
