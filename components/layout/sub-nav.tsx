"use client";

import Link from "next/link";
import { cx } from "@/components/ui/cx";

/** Moves the current page's link into view, where the others push it out. */
function reveal(link: HTMLAnchorElement | null): void {
  const nav = link?.closest("nav");
  if (link && nav) nav.scrollLeft = link.offsetLeft - (nav.clientWidth - link.offsetWidth) / 2;
}

/** Links to the pages of one part of the dashboard; on phones they scroll sideways. */
export function SubNav({
  label,
  pages,
  here,
}: {
  label: string;
  pages: readonly { href: string; label: string }[];
  here: string;
}) {
  return (
    <nav aria-label={label} className="relative overflow-x-auto overflow-y-hidden border-b px-4 sm:px-5">
      <ul className="flex w-max gap-4 pr-4 sm:pr-5">
        {pages.map((page) => (
          <li key={page.href}>
            <Link
              prefetch={false}
              href={page.href}
              ref={page.href === here ? reveal : undefined}
              aria-current={page.href === here ? "page" : undefined}
              className={cx(
                "-mb-px flex h-8 items-center whitespace-nowrap border-b-2 -outline-offset-2 pointer-coarse:h-10",
                page.href === here ? "border-seal font-medium" : "border-transparent text-second hover:text-ink",
              )}
            >
              {page.label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
