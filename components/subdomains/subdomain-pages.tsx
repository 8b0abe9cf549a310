import { SubNav } from "@/components/layout/sub-nav";

const pages = [
  { href: "/subdomains", label: "Names" },
  { href: "/subdomains/domains", label: "Domains" },
  { href: "/subdomains/issuances", label: "Issued certificates" },
] as const;

/** Navigation between the pages about discovery. `flush` when a list follows directly and brings the dividing line. */
export function SubdomainPages({ here, flush = false }: { here: (typeof pages)[number]["href"]; flush?: boolean }) {
  return (
    <div className={flush ? "-mb-px" : "pb-3"}>
      <SubNav label="Subdomains" pages={pages} here={here} />
    </div>
  );
}
