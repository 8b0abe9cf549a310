import Link from "next/link";
import { hrefWith, orderOf } from "@/components/layout/href-with";
import { type Tone, toneText } from "@/components/ui/badge";
import { cx } from "@/components/ui/cx";
import { counted, formatCount } from "@/lib/text/counts";
import { inSentence } from "@/lib/text/labels";

/** The number of all items by state; each link opens exactly those, in the order of the list, or all if it is the chosen state. */
export function StatusFigures<Status extends string>({
  path,
  noun,
  byStatus,
  order,
  labels,
  tones,
  params,
}: {
  path: string;
  noun: string;
  byStatus: ReadonlyMap<Status, number>;
  order: readonly Status[];
  labels: Readonly<Record<Status, string>>;
  /** Without one, a figure has the color of text. */
  tones: Readonly<Record<Status, Tone | undefined>>;
  /** The parameters of the list's URL. */
  params: Record<string, string>;
}) {
  const chosen = params.status;
  const hrefOf = (status: string | null) => hrefWith(path, orderOf(params), { status });
  const total = [...byStatus.values()].reduce((sum, count) => sum + count, 0);
  return (
    <p className="flex flex-wrap gap-x-5 gap-y-0.5 px-4 pb-2.5 text-second sm:px-5">
      <Link href={hrefOf(null)} prefetch={false} className="hover:underline">
        <strong className="font-semibold text-ink tabular-nums">{formatCount(total)}</strong> {counted(total, noun)}
      </Link>
      {order
        .filter((status) => byStatus.has(status))
        .map((status) => {
          const tone = tones[status];
          return (
            <Link
              key={status}
              prefetch={false}
              href={hrefOf(chosen === status ? null : status)}
              aria-current={chosen === status ? "true" : undefined}
              className="rounded-sm hover:underline aria-current:underline"
            >
              <strong className={cx("font-semibold tabular-nums", tone === undefined ? "text-ink" : toneText[tone])}>
                {byStatus.get(status)?.toLocaleString("en-GB")}
              </strong>{" "}
              {inSentence(labels[status])}
            </Link>
          );
        })}
    </p>
  );
}
