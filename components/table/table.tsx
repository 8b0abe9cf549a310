import type { ComponentProps, ReactNode } from "react";
import { RowLinks } from "@/components/table/row-links";
import { cx } from "@/components/ui/cx";

/**
 * A dense table with 28 px rows and a sticky header. The headers set fixed column widths, so that new rows do not shift the
 * layout; text that does not fit ends in an ellipsis.
 */
export function Table({ label, head, children }: { label: string; head: ReactNode; children: ReactNode }) {
  return (
    <RowLinks>
      <table aria-label={label} className="w-full table-fixed border-separate border-spacing-0">
        <thead>
          <tr>{head}</tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </RowLinks>
  );
}

/** A cell whose whole text phones show, on several lines. */
export const wrapsOnPhones = "max-sm:whitespace-normal! max-sm:py-1.5 max-sm:[overflow-wrap:anywhere]";

type Cell = { numeric?: boolean; children?: ReactNode; className?: string | undefined };

const edges = "px-2 first:pl-4 last:pr-4 sm:first:pl-5 sm:last:pr-5";

/** A column header. Its `className` sets the width and the screens that hide the column. `sort`: of a column that can be sorted. */
export function Head({
  numeric = false,
  sort,
  className,
  children,
}: Cell & { sort?: "ascending" | "descending" | "none" }) {
  return (
    <th
      scope="col"
      aria-sort={sort}
      className={cx(
        "sticky top-12 z-10 h-7 truncate border-y bg-canvas font-normal text-second text-sm lg:top-0",
        edges,
        numeric ? "text-right" : "text-left",
        className,
      )}
    >
      {children}
    </th>
  );
}

/** The header of the column of `RowMenu`. */
export function ActionsHead() {
  return (
    <Head className="w-14 pointer-coarse:w-16">
      <span className="sr-only">Actions</span>
    </Head>
  );
}

/** A row. If its first cell holds a `RowLink`, a click anywhere in the row follows it. */
export function Row({ className, ...rest }: ComponentProps<"tr">) {
  return (
    <tr
      {...rest}
      className={cx(
        "group/row has-[a[data-row]]:cursor-pointer hover:bg-sunken has-[:is(a[data-row]:focus-visible,[data-select]:checked)]:bg-seal-wash",
        className,
      )}
    />
  );
}

export function Data({ numeric = false, className, children }: Cell) {
  return (
    <td
      className={cx(
        "h-7 truncate border-b pointer-coarse:h-10",
        edges,
        numeric && "text-right tabular-nums",
        className,
      )}
    >
      {children}
    </td>
  );
}

/** A cell of a long list, whose rows are all equally high: on phones two lines in every row, the second one cut off. */
export function TwoLines({ className, children }: Omit<Cell, "numeric">) {
  return (
    <Data className={cx("max-sm:h-12! max-sm:whitespace-normal", className)}>
      <div className="max-sm:line-clamp-2 max-sm:[overflow-wrap:anywhere] sm:truncate">{children}</div>
    </Data>
  );
}
