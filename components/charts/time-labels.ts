import { formatTime, localTime } from "@/components/time/time-format";
import { DAY_MS, MINUTE_MS } from "@/lib/time/units";

const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720].map((minutes) => minutes * MINUTE_MS);
const MAX_LABELS = 7;
/** A label that starts further right would extend beyond the chart. */
const LAST_SHARE = 0.95;

interface TimeLabel {
  /** The index of the bar that it stands under. */
  at: number;
  text: string;
}

/** Labels under bars that start at these times: at round times of the zone, with the day where it begins, none repeated. */
export function timeLabels(starts: readonly number[], zone: string): TimeLabel[] {
  const [first = 0, last = 0] = [starts[0], starts.at(-1)];
  const local = starts.map((start) => localTime(start, zone));
  const begins = (at: number, step: number) => {
    const [before, time] = [local[at - 1], local[at] ?? 0];
    return before === undefined ? time % step === 0 : Math.floor(before / step) !== Math.floor(time / step);
  };
  const step = STEPS.find((each) => (last - first) / each < MAX_LABELS) ?? DAY_MS;
  const chosen = starts.flatMap((_, at) => (begins(at, step) ? [at] : []));
  const every = Math.ceil(chosen.length / MAX_LABELS);
  return chosen
    .filter((at, nth) => nth % every === 0 && at / starts.length < LAST_SHARE)
    .map((at) => ({ at, text: formatTime(starts[at] ?? 0, begins(at, DAY_MS) ? "short" : "hour", zone, 0) }));
}
