import Link from "next/link";
import { flagWords } from "@/components/audit-logs/flag-words";
import { hrefWith } from "@/components/audit-logs/view";
import { Badge } from "@/components/ui/badge";
import { type Flag, flags } from "@/lib/audit-logs/flags";

function isFlag(value: string): value is Flag {
  return flags.some((flag) => flag === value);
}

/** What the flags in this range mean, the most frequent first; each narrows the list to itself. */
export function FlagLegend({
  counts,
  params,
}: {
  counts: { value: string; requests: number }[];
  params: Record<string, string>;
}) {
  const known = counts.flatMap(({ value, requests }) => (isFlag(value) ? [{ flag: value, requests }] : []));
  if (known.length === 0) return null;
  return (
    <section className="mt-8 px-4 sm:px-5">
      <h2 className="mb-2 font-medium">What the flags in this range mean</h2>
      <dl className="grid gap-x-4 sm:grid-cols-[max-content_max-content_minmax(0,1fr)]">
        {known.map(({ flag, requests }) => (
          <div key={flag} className="grid grid-cols-subgrid items-baseline gap-y-0.5 border-t py-2 sm:col-span-3">
            <dt>
              <Link prefetch={false} href={hrefWith("/security-events", params, { flag })} className="hover:underline">
                <Badge tone={flagWords[flag].tone} mono>
                  {flag}
                </Badge>
              </Link>
            </dt>
            <dd className="text-second tabular-nums sm:text-right">{requests.toLocaleString("en-GB")}</dd>
            <dd className="max-w-prose text-pretty">
              {flagWords[flag].says} <span className="text-second">{flagWords[flag].advice}</span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
