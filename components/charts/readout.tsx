import type { CSSProperties, ReactNode } from "react";
import { cx } from "@/components/ui/cx";

/** What a chart says about one place. */
export interface Reading {
  /** The time or the name of the place. */
  title: string;
  total?: string;
  rows?: readonly { name: string; value: string; swatch?: string }[];
  /** A problem at this place. */
  note?: string;
}

/** A reading in one line, for screen readers. */
export function readingText({ title, total, rows = [], note }: Reading): string {
  const parts = [total, ...rows.map(({ name, value }) => `${name} ${value}`), note];
  return `${title}: ${parts.filter((part) => part !== undefined).join(", ")}`;
}

/** A reading beside its place, on the side with more room. `left` and `right` are the shares of the width beside the place. */
export function Readout({
  reading: { title, total, rows = [], note },
  left,
  right,
  children,
}: {
  reading: Reading;
  left: number;
  right: number;
  children?: ReactNode;
}) {
  return (
    <div
      aria-hidden="true"
      className="pointer-events-none absolute top-0 z-30 w-max rounded-md bg-panel px-2.5 py-1.5 text-sm shadow-float"
      style={sideOf(left, right)}
    >
      <p className="pb-0.5 text-second">{title}</p>
      {total !== undefined && <p className="font-medium tabular-nums">{total}</p>}
      {rows.map(({ name, value, swatch }) => (
        <p key={name} className="flex items-center gap-1.5 text-second">
          {swatch !== undefined && <span className={cx("size-2 rounded-xs", swatch)} />}
          {name} <span className="ml-auto pl-4 text-ink tabular-nums">{value}</span>
        </p>
      ))}
      {note !== undefined && <p className="text-bad">{note}</p>}
      {children}
    </div>
  );
}

/** The side with more room, which the reading does not exceed. Beside a single bar there is none, so the reading covers the bar. */
function sideOf(left: number, right: number): CSSProperties {
  const room = Math.max(left, right) || 1;
  return {
    [right > left ? "left" : "right"]: `calc(${(1 - room) * 100}% + 8px)`,
    maxWidth: `calc(${room * 100}% - 8px)`,
  };
}
