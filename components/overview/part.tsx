import Link from "next/link";
import type { ReactNode } from "react";

/** A part of the overview, with a link to the full page. */
export function Part({
  title,
  href,
  all,
  children,
}: {
  title: ReactNode;
  href: string;
  /** The label of the link. */
  all: string;
  children: ReactNode;
}) {
  return (
    <section className="min-w-0">
      <div className="flex items-baseline justify-between gap-4 px-4 pb-2 sm:px-5">
        <h2 className="font-medium text-lg">{title}</h2>
        <Link href={href} className="shrink-0 text-seal hover:underline">
          {all}
        </Link>
      </div>
      {children}
    </section>
  );
}
