import type { ComponentProps, ReactNode } from "react";
import { RowLinks } from "@/components/table/row-links";
import { cx } from "@/components/ui/cx";

/**
 * A dense table: 28 px rows between hairlines, the header staying on top. Columns keep the widths their headers name, so that
 * new rows move nothing; cells that do not fit end in an ellipsis.
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

type Cell = { numeric?: boolean; children?: ReactNode; className?: string | undefined };

const edges = "px-2 first:pl-4 last:pr-4 sm:first:pl-5 sm:last:pr-5";

/** A column's name. Its `className` gives the width, and the screens it is left out on. */
export function Head({ numeric = false, className, children }: Cell) {
  return (
    <th
      scope="col"
      className={cx(
        "sticky top-12 z-10 h-7 truncate border-y bg-canvas font-normal text-second text-sm md:top-0",
        edges,
        numeric ? "text-right" : "text-left",
        className,
      )}
    >
      {children}
    </th>
  );
}

/** A row. With `href` a click anywhere in it follows its link, which the first cell must hold as a `RowLink`. */
export function Row({ className, ...rest }: ComponentProps<"tr">) {
  return (
    <tr
      {...rest}
      className={cx(
        "group/row has-[a[data-row]]:cursor-pointer hover:bg-sunken has-[a[data-row]:focus-visible]:bg-seal-wash",
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
