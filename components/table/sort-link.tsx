"use client";

import Link from "next/link";
import type { ReactNode } from "react";
import { remember } from "@/components/layout/remember";

/** A link that sorts a table. A cookie remembers the order, and the server renders the table with it. */
export function SortLink({
  href,
  cookie,
  remembered,
  className,
  children,
}: {
  href: string;
  cookie: string;
  remembered: string | null;
  className: string;
  children: ReactNode;
}) {
  return (
    <Link
      prefetch={false}
      scroll={false}
      href={href}
      className={className}
      onClick={() => remember(cookie, remembered)}
    >
      {children}
    </Link>
  );
}
