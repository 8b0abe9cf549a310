import Link from "next/link";
import { type Preset, presets } from "@/components/statistics/range";
import { cx } from "@/components/ui/cx";

/** Links that select the time range of a page; the URL keeps it. */
export function RangeLinks({
  path,
  choices = presets,
  chosen,
}: {
  path: string;
  choices?: readonly (typeof presets)[number][];
  chosen: Preset | null;
}) {
  return (
    <nav aria-label="Range" className="flex rounded-sm border border-strong bg-panel">
      {choices.map(({ value, label }) => (
        <Link
          key={value}
          prefetch={false}
          scroll={false}
          href={`${path}?range=${value}`}
          aria-current={value === chosen ? "true" : undefined}
          className={cx(
            "flex h-[26px] items-center border-l px-2.5 first:border-l-0 pointer-coarse:h-9",
            value === chosen ? "bg-seal-wash font-medium text-seal" : "text-second hover:text-ink",
          )}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
