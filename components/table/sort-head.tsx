import { ArrowDown, ArrowUp } from "lucide-react";
import type { Sorting } from "@/components/table/sort";
import { SortLink } from "@/components/table/sort-link";
import { Head } from "@/components/table/table";
import { cx } from "@/components/ui/cx";

/** The header of a column that sorts the list by `by`; a plain one without `sorting`. */
export function SortHead({
  sorting,
  by,
  numeric = false,
  className,
  children,
}: {
  sorting: Sorting | undefined;
  by: string;
  numeric?: boolean;
  className?: string;
  children: string;
}) {
  if (sorting === undefined) {
    return (
      <Head numeric={numeric} className={className}>
        {children}
      </Head>
    );
  }
  const isSorted = sorting.sort === by;
  const Arrow = sorting.direction === "desc" ? ArrowDown : ArrowUp;
  return (
    <Head
      numeric={numeric}
      className={className}
      sort={!isSorted ? "none" : sorting.direction === "desc" ? "descending" : "ascending"}
    >
      <SortLink
        {...sorting.chosenBy(by)}
        cookie={sorting.cookie}
        className={cx("rounded-xs hover:text-ink hover:underline", isSorted && "text-ink")}
      >
        {children}
        {isSorted && <Arrow size={12} className="ml-1 inline" aria-hidden="true" />}
      </SortLink>
    </Head>
  );
}
