import type { ReactNode } from "react";

/** A section of an analytics page. `flush` is for tables, which extend to the edges of the page. */
export function Part({
  title,
  says,
  flush = false,
  children,
}: {
  title: string;
  says?: ReactNode;
  flush?: boolean;
  children: ReactNode;
}) {
  return (
    <section className="min-w-0 pb-8">
      <div className="px-4 pb-2 sm:px-5">
        <h2 className="font-medium text-lg">{title}</h2>
        {says && <div className="max-w-prose text-pretty text-second">{says}</div>}
      </div>
      <div className={flush ? "" : "px-4 sm:px-5"}>{children}</div>
    </section>
  );
}
