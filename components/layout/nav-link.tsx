"use client";

import Link, { useLinkStatus } from "next/link";
import { usePathname } from "next/navigation";
import { type ReactNode, useState } from "react";
import type { Entry } from "@/components/layout/navigation";
import { cx } from "@/components/ui/cx";

/**
 * A navigation link, marked as current on its page and the pages below it. Prefetched when it is pointed at: all of them at each load
 * would cost two requests per link.
 */
export function NavLink({
  href,
  label,
  children,
}: Entry & {
  /** Behind the label. */
  children: ReactNode;
}) {
  const path = usePathname();
  const [isWanted, setWanted] = useState(false);
  const want = () => setWanted(true);
  const isHere = href === "/" ? path === "/" : path === href || path.startsWith(`${href}/`);
  return (
    <Link
      href={href}
      prefetch={isWanted ? null : false}
      onPointerEnter={want}
      onFocus={want}
      aria-current={isHere ? "page" : undefined}
      className={cx(
        "flex h-7 items-center rounded-sm border px-2 pointer-coarse:h-10",
        isHere ? "border-line bg-panel font-medium text-ink" : "border-transparent text-second hover:text-ink",
      )}
    >
      <Label text={label} />
      {children}
    </Link>
  );
}

/** The link's text, darker from the click until its page is shown. */
function Label({ text }: { text: string }) {
  const { pending } = useLinkStatus();
  return <span className={cx(pending && "text-ink")}>{text}</span>;
}
