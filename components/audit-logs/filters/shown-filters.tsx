import Link from "next/link";
import type { KnownValues } from "@/components/audit-logs/filters/filter-fields";
import { filterWords, inDisplayOrder } from "@/components/audit-logs/filters/filter-words";

/** Stored filters of the audit log in words, with a link to the entries that match them. */
export function ShownFilters({
  filters,
  known,
  href,
}: {
  filters: Readonly<Record<string, string>>;
  known: KnownValues;
  /** Of the entries. */
  href: string;
}) {
  return (
    <div className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
      <ul aria-label="Filters" className="flex min-w-0 flex-wrap gap-1">
        {Object.entries(inDisplayOrder(filters)).map(([name, text]) => {
          const { label, words } = filterWords(name, text, known);
          return (
            <li key={name} className="min-w-0 break-words rounded-sm border bg-sunken px-1.5">
              <span className="text-second">{label}</span> {words}
            </li>
          );
        })}
      </ul>
      <Link prefetch={false} href={href} className="whitespace-nowrap text-seal hover:underline">
        View these entries
      </Link>
    </div>
  );
}
