import { formatCount } from "@/lib/text/counts";
/** Lines at the top and in the middle of a chart, with their values. Without `label` values are counts, so a middle between two has no line. */
export function ScaleLines({ most, label }: { most: number; label?: (value: number) => string }) {
  const shares = [1, 0.5].filter((share) => label !== undefined || Number.isInteger(most * share));
  return shares.map((share) => (
    <span
      key={share}
      className="pointer-events-none absolute inset-x-0 border-t text-third text-xs"
      style={{ bottom: `${share * 100}%` }}
    >
      <span className="absolute -top-2 left-full whitespace-nowrap pl-1.5 tabular-nums">
        {label?.(most * share) ?? formatCount(most * share)}
      </span>
    </span>
  ));
}
