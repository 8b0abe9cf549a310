import { dayName } from "@/components/time/time-format";

/** The ends of a chart with a bar per UTC day until today, below it. `first`: the start of its first day in Unix milliseconds. */
export function BarsEnds({ first }: { first: number }) {
  return (
    <div className="mt-1 flex justify-between text-second text-sm tabular-nums">
      <span>{dayName(new Date(first).toISOString())}</span>
      <span>today</span>
    </div>
  );
}
