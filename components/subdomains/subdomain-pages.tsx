import { subdomainPages } from "@/components/layout/navigation";
import { SubNav } from "@/components/layout/sub-nav";

/** Navigation between the pages about discovery. `flush` when a list follows directly and brings the dividing line. */
export function SubdomainPages({
  here,
  flush = false,
}: {
  here: (typeof subdomainPages)[number]["href"];
  flush?: boolean;
}) {
  return (
    <div className={flush ? "-mb-px" : "pb-3"}>
      <SubNav label="Subdomains" pages={subdomainPages} here={here} />
    </div>
  );
}
