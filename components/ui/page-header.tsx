import Link from "next/link";
import type { ReactNode } from "react";

/** A page's title, a description, and its actions. */
export function PageHeader({
  title,
  back,
  children,
  actions,
}: {
  title: ReactNode;
  /** The parent page. */
  back?: { href: string; label: string };
  children?: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 px-4 pt-4 pb-3 sm:px-5">
      {/* As high as the actions, so that what follows has the same place on sibling pages without them. */}
      <div className="min-h-7 min-w-0 pointer-coarse:min-h-9">
        {back && (
          <nav aria-label="Breadcrumb" className="mb-0.5 text-sm">
            <Link href={back.href} className="text-second hover:text-ink hover:underline">
              {back.label}
            </Link>
          </nav>
        )}
        <h1 className="break-words font-semibold text-xl tracking-tight">{title}</h1>
        {children && <div className="mt-0.5 max-w-prose text-second">{children}</div>}
      </div>
      {actions && (
        // The command palette offers these actions.
        <div data-actions="" className="flex flex-wrap items-center gap-2">
          {actions}
        </div>
      )}
    </header>
  );
}
