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
  const [chosen, setChosen] = useState<number | null>(null);
  const at = chosen === null ? null : Math.min(chosen, count - 1);
  const [left, right] = at === null ? [0, 0] : edges(at, count, isLine);
  const point = (event: PointerEvent) => setChosen(placeOf(event, count, isLine));
  return (
    <div
      className={cx("relative", className)}
      style={{ height }}
      onPointerDown={point}
      onPointerMove={point}
      onPointerLeave={() => setChosen(null)}
    >
      {at !== null && (
        <span
          className={cx("absolute inset-y-0", isLine ? "border-strong border-l" : "bg-seal-wash")}
          style={{ left: `${left * 100}%`, right: `${right * 100}%` }}
        />
      )}
      {children}
      {count > 0 && <PlotKeys label={label} count={count} at={at} readingOf={readingOf} onChoose={setChosen} />}
      {at !== null && <Readout reading={readingOf(at)} left={left} right={right} />}
    </div>
  );
}

/** Lets the keyboard choose a place of a chart, the last one first. The element around it looks focused. */
export function PlotKeys({
  label,
  count,
  at,
  readingOf,
  onChoose,
}: {
  label: string;
  count: number;
  at: number | null;
  readingOf: (at: number) => Reading;
  onChoose: (at: number | null) => void;
}) {
  const value = at ?? count - 1;
  return (
    <span className="pointer-events-none absolute inset-0 rounded-xs has-focus-visible:outline-2 has-focus-visible:outline-seal has-focus-visible:outline-offset-2">
      <input
        type="range"
        aria-label={label}
        aria-valuetext={readingText(readingOf(value))}
        min={0}
        max={count - 1}
        value={value}
        onChange={(event) => onChoose(Number(event.target.value))}
        onFocus={(event) => event.target.matches(":focus-visible") && onChoose(value)}
        onBlur={() => onChoose(null)}
        onKeyDown={(event) => event.key === "Escape" && onChoose(null)}
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
