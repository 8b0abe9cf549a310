import Link from "next/link";
import type { ComponentProps, ReactNode } from "react";
import { cx } from "@/components/ui/cx";
import { formatCount, plural } from "@/lib/text/counts";
import { percent } from "@/lib/text/percent";

export interface Counted {
  value: string;
  /** What is shown instead of the value. */
  label?: ReactNode;
  requests: number;
  /** How many of them were refused or failed, if that is shown. */
  errors?: number;
}

/** The most frequent values of one property with their share of `total`; each links to its entries. */
export function Breakdown({
  title,
  of,
  counts,
  total,
  mono = true,
  hrefOf,
  errorsHrefOf,
}: {
  title: string;
  /** The name of the first column for screen readers, such as "Key". */
  of: string;
  counts: readonly Counted[];
  total: number;
  mono?: boolean;
  /** Null for values that no filter finds. */
  hrefOf: (value: string) => string | null;
  /** The link of a value's errors; adds a column for them. */
  errorsHrefOf?: (value: string) => string | null;
}) {
  return (
    <section className="min-w-0">
      <h2 className="pb-1.5 font-medium">{title}</h2>
      {counts.length === 0 ? (
        <p className="border-t py-1.5 text-second">None in this range.</p>
      ) : (
        <table className="w-full table-fixed border-t">
          <caption className="sr-only">{title}</caption>
          {/* The visible head would set the widths, but it is for screen readers only. */}
          <colgroup>
            <col />
            <col className="w-16" />
            {errorsHrefOf && <col className="w-24" />}
            <col className="w-14" />
          </colgroup>
          <thead className="sr-only">
            <tr>
              <th scope="col">{of}</th>
              <th scope="col">Requests</th>
              {errorsHrefOf && <th scope="col">Errors</th>}
              <th scope="col">Share</th>
            </tr>
          </thead>
          <tbody>
            {counts.map(({ value, label = value, requests, errors = 0 }) => (
              <tr key={value} className="group/row hover:bg-sunken">
                <th scope="row" className="relative h-7 border-b p-0 text-left font-normal pointer-coarse:h-10">
                  <span
                    aria-hidden="true"
                    className="absolute inset-y-[3px] left-0 rounded-xs bg-seal-wash"
                    style={{ width: `${(100 * requests) / Math.max(1, total)}%` }}
                  />
                  <MaybeLink
                    href={hrefOf(value)}
                    title={value}
                    className={cx("relative block truncate px-1.5", mono && "font-mono text-sm")}
                  >
                    {label}
                  </MaybeLink>
                </th>
                <td className="border-b text-right tabular-nums">{formatCount(requests)}</td>
                {errorsHrefOf && (
                  <td className="border-b text-right text-second tabular-nums">
                    {errors > 0 && <MaybeLink href={errorsHrefOf(value)}>{plural(errors, "error")}</MaybeLink>}
                  </td>
                )}
                <td className="border-b text-right text-second tabular-nums">{percent(requests, total)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function MaybeLink({
  href,
  className,
  ...rest
}: { href: string | null } & Pick<ComponentProps<"span">, "className" | "title" | "children">) {
  if (href === null) return <span {...rest} className={className} />;
  return <Link prefetch={false} href={href} {...rest} className={cx("hover:underline", className)} />;
}
