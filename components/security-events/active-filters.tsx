import { X } from "lucide-react";
import Link from "next/link";

/** The active filters of the page besides its range, each with a link that removes it. */
export function ActiveFilters({ params, names }: { params: Record<string, string>; names: readonly string[] }) {
  if (names.length === 0) return null;
  const without = (name: string) => {
    const { [name]: _, ...rest } = params;
    return `/security-events?${new URLSearchParams(rest)}`;
  };
  return (
    <ul aria-label="Active filters" className="flex flex-wrap gap-1.5 px-4 pb-3 sm:px-5">
      {names.map((name) => (
        <li key={name} className="flex h-6 max-w-full items-center rounded-sm border border-strong bg-panel pl-2">
          <span className="mr-1.5 text-second">{name}</span>
          <span className="truncate font-mono text-sm">{params[name]}</span>
          <Link
            prefetch={false}
            href={without(name)}
            aria-label={`Remove the filter ${name}`}
            className="ml-1 grid size-6 place-items-center text-third hover:text-ink"
          >
            <X size={12} aria-hidden="true" />
          </Link>
        </li>
      ))}
    </ul>
  );
}
