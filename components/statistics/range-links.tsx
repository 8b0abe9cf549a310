import Link from "next/link";
import { hrefWith } from "@/components/layout/href-with";
import { type Preset, presets } from "@/components/statistics/range";
import { cx } from "@/components/ui/cx";

/** Links that select the time range of a page; the URL keeps it, and the other parameters of the view. */
export function RangeLinks({
  path,
  params = {},
  choices = presets,
  chosen,
}: {
  path: string;
  params?: Record<string, string>;
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
          href={hrefWith(path, params, { range: value, since: null, until: null })}
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
