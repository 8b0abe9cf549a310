import Link from "next/link";
import type { ReactNode } from "react";
import { LoadingFrame } from "@/components/states/late";
import { Time } from "@/components/time/time";
import { type Tone, toneText } from "@/components/ui/badge";
import { cx } from "@/components/ui/cx";
import { Skeleton } from "@/components/ui/skeleton";
import { plural } from "@/lib/text/counts";
import { DAY_MS } from "@/lib/time/units";

/** The days on the axis. */
export const AXIS_DAYS = 90;
const WIDTH = 1000;
const HEIGHT = 20;
/** Events are at least this wide, of `WIDTH`. */
const MIN_WIDTH = 4;

/** The time that all lanes have in common, in Unix milliseconds. */
export interface Axis {
  since: number;
  until: number;
}

/** The last 90 days up to `now`. */
export function axisUntil(now: number): Axis {
  return { since: now - AXIS_DAYS * DAY_MS, until: now };
}

/** An event at a time, or over a period. */
export interface Mark {
  id: string;
  /** Unix milliseconds; `to` equals `from` for a moment. */
  from: number;
  to: number;
  tone: Tone;
  words: ReactNode;
  href: string;
}

/** A title and a strip. */
const row = "grid min-h-9 items-center gap-x-4 px-4 sm:grid-cols-[11rem_minmax(0,1fr)] sm:px-5";

/** Events of one kind on the common axis; opened, it lists them with their links. */
export function Lane({ title, marks, axis }: { title: string; marks: readonly Mark[]; axis: Axis }) {
  const shown = marks.filter(({ to }) => to >= axis.since);
  const count = shown.length === 0 ? "none" : String(shown.length);
  if (shown.length === 0) {
    return (
      <div className={cx(row, "border-b")}>
        <span className="text-second">{title}: none</span>
        <Strip marks={[]} axis={axis} />
      </div>
    );
  }
  return (
    <details className="border-b">
      <summary
        aria-label={`${title}: ${plural(shown.length, "event")} in ${AXIS_DAYS} days`}
        className={cx(row, "cursor-pointer hover:bg-sunken focus-visible:-outline-offset-2")}
      >
        <span>
          {title} <span className="text-second tabular-nums">{count}</span>
        </span>
        <Strip marks={shown} axis={axis} />
      </summary>
      <ol aria-label={title} className="border-t bg-sunken">
        {shown.map(({ id, from, tone, words, href }) => (
          <li key={id}>
            <Link
              prefetch={false}
              href={href}
              className="grid grid-cols-[0.5rem_11rem_minmax(0,1fr)] items-baseline gap-x-3 px-4 py-1 hover:underline focus-visible:-outline-offset-2 max-sm:grid-cols-[0.5rem_minmax(0,1fr)] sm:px-5 pointer-coarse:py-2.5"
            >
              <span aria-hidden="true" className={cx("size-1.5 self-center rounded-full bg-current", toneText[tone])} />
              <span className="text-second">
                <Time value={new Date(from).toISOString()} />
              </span>
              <span className="min-w-0 break-words max-sm:col-start-2">{words}</span>
            </Link>
          </li>
        ))}
      </ol>
    </details>
  );
}

/** The placeholder of a lane, of its height: phones have the strip below the title. */
export function LaneSkeleton({ what }: { what: string }) {
  return (
    <LoadingFrame what={what} className={cx(row, "border-b")}>
      <div className="flex h-5 items-center">
        <Skeleton className="w-32" />
      </div>
      <div className="h-5" />
    </LoadingFrame>
  );
}

const fills: Record<Tone, string> = {
  neutral: "fill-third",
  seal: "fill-seal",
  bad: "fill-bad",
  warn: "fill-warn",
  good: "fill-good",
};

function Strip({ marks, axis: { since, until } }: { marks: readonly Mark[]; axis: Axis }) {
  const place = (time: number) => (WIDTH * (Math.max(since, Math.min(until, time)) - since)) / (until - since);
  return (
    <svg aria-hidden="true" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" className="block h-5 w-full">
      <path d={`M0 ${HEIGHT / 2}H${WIDTH}`} stroke="var(--line)" vectorEffect="non-scaling-stroke" />
      {/* The newest first: the oldest is drawn over by the newer ones. */}
      {marks.toReversed().map(({ id, from, to, tone }) => {
        const width = Math.max(MIN_WIDTH, place(to) - place(from));
        const x = Math.min(place(from), WIDTH - width);
        return <rect key={id} x={x} y={4} width={width} height={HEIGHT - 8} className={fills[tone]} />;
      })}
    </svg>
  );
}
