"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import type { Entry } from "@/components/layout/navigation";
import { cx } from "@/components/ui/cx";

/** An entry of the navigation; it knows when it, or a page below it, is the one shown. */
export function NavLink({
  href,
  label,
  count = 0,
}: Entry & {
  /** How many wait there for somebody; nothing is shown of none. */
  count?: number | undefined;
}) {
  const path = usePathname();
  const isHere = href === "/" ? path === "/" : path === href || path.startsWith(`${href}/`);
  return (
    <Link
      href={href}
      aria-current={isHere ? "page" : undefined}
      className={cx(
        "flex h-7 items-center rounded-sm border px-2 pointer-coarse:h-10",
        isHere ? "border-line bg-panel font-medium text-ink" : "border-transparent text-second hover:text-ink",
      )}
    >
      {label}
      {count > 0 && (
        <span className="ml-auto text-bad text-sm tabular-nums">
          {count > 999 ? "999+" : count}
          <span className="sr-only"> open</span>
        </span>
      )}
    </Link>
  );
}
