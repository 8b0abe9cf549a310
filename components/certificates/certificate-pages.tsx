import { SubNav } from "@/components/layout/sub-nav";

const pages = [
  { href: "/certificates", label: "Endpoints" },
  { href: "/certificates/inventory", label: "Inventory" },
  { href: "/certificates/trust-stores", label: "Trust stores" },
  { href: "/certificates/calendars", label: "Calendars" },
] as const;

/** Navigation between the pages about certificates. `flush` when a list follows directly and brings the dividing line. */
export function CertificatePages({ here, flush = false }: { here: (typeof pages)[number]["href"]; flush?: boolean }) {
  return (
    <div className={flush ? "-mb-px" : "pb-3"}>
      <SubNav label="Certificates" pages={pages} here={here} />
    </div>
  );
}
