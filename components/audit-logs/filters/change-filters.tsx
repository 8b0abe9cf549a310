import Link from "next/link";
import type { ReactNode } from "react";

/** The parameters to change; null removes one. */
export type FilterChanges = Record<string, string | null>;

/** Where a change of filters goes. */
export interface FilterTarget {
  onChange: (changes: FilterChanges) => void;
  /** The address of the page with changed parameters; undefined if the filters are not part of an address. */
  hrefOf: ((changes: FilterChanges) => string) | undefined;
}

/** Changes filters: a link if they are part of the page's address, otherwise a button. */
export function ChangeFilters({
  changes,
  onChange,
  hrefOf,
  label,
  className,
  children,
}: FilterTarget & { changes: FilterChanges; label?: string; className: string; children: ReactNode }) {
  if (hrefOf === undefined) {
    return (
      <button type="button" aria-label={label} onClick={() => onChange(changes)} className={className}>
        {children}
      </button>
    );
  }
  return (
    <Link prefetch={false} href={hrefOf(changes)} aria-label={label} className={className}>
      {children}
    </Link>
  );
}
