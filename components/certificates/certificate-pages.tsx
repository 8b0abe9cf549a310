import { SubNav } from "@/components/layout/sub-nav";

const pages = [
  { href: "/certificates", label: "Endpoints" },
  { href: "/certificates/inventory", label: "Inventory" },
] as const;

/** The ways between the pages about certificates. */
export function CertificatePages({ here }: { here: (typeof pages)[number]["href"] }) {
  return (
    <div className="pb-3">
      <SubNav label="Certificates" pages={pages} here={here} />
    </div>
  );
}
