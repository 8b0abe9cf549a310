import Link from "next/link";
import { type Tone, toneText } from "@/components/ui/badge";
import { cx } from "@/components/ui/cx";
import { formatCount } from "@/lib/text/counts";

export interface Figure {
  name: string;
  value: number | string;
  /** Small text after the value. */
  more?: string;
  /** The colour of a value that is not zero. */
  tone?: Tone;
  /** The URL of the counted items. */
  href?: string;
}

/** Figures side by side; those with a URL are links. */
export function Figures({ figures }: { figures: readonly Figure[] }) {
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-4 px-4 pb-6 last:pb-0 max-sm:grid max-sm:grid-cols-2 sm:px-5">
      {figures.map(({ name, value, more, tone, href }) => {
        const words = typeof value === "number" ? formatCount(value) : value;
        const look = cx(tone && value !== 0 && toneText[tone]);
        return (
          <div key={name} className="flex flex-col-reverse justify-end">
            <dt className="text-second">{name}</dt>
            <dd className="whitespace-nowrap font-semibold text-xl tabular-nums tracking-tight">
              {href ? (
                <Link prefetch={false} href={href} className={cx("hover:underline", look)}>
                  {words}
                </Link>
              ) : (
                <span className={look}>{words}</span>
              )}
              {more && <span className="ml-1.5 font-normal text-base text-second">{more}</span>}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
