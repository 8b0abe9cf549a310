import { Globe } from "lucide-react";
import Link from "next/link";
import { sitePath } from "@/lib/sites/host-of-target";

/** The link to the page of a host. */
export function SiteLink({ host }: { host: string }) {
  return (
    <Link prefetch={false} href={sitePath(host)} className="text-seal underline underline-offset-2">
      Everything about this host
    </Link>
  );
}

/** The same as a symbol in a row of a table, for the pointer: each row is a single tab stop, and its own page has the link. */
export function SiteSymbol({ host }: { host: string }) {
  return (
    <Link
      prefetch={false}
      href={sitePath(host)}
      tabIndex={-1}
      aria-label={`Site page of ${host}`}
      title={`Everything about ${host}`}
      className="ml-1.5 inline-block px-1 align-[-2px] text-third hover:text-seal pointer-coarse:px-2"
    >
      <Globe size={12} strokeWidth={1.5} aria-hidden="true" />
    </Link>
  );
}
