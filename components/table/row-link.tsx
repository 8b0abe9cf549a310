import Link from "next/link";
import type { ComponentProps } from "react";
import { cx } from "@/components/ui/cx";

/** The link of a whole row. Not prefetched, because a table holds too many of them. */
export function RowLink({ className, ...rest }: ComponentProps<typeof Link>) {
  return (
    <Link
      prefetch={false}
      {...rest}
      data-row=""
      className={cx("rounded-xs group-hover/row:underline focus-visible:outline-2", className)}
    />
  );
}
