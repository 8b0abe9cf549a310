import { certificatePages } from "@/components/layout/navigation";
import { SubNav } from "@/components/layout/sub-nav";

/** Navigation between the pages about certificates. `flush` when a list follows directly and brings the dividing line. */
export function CertificatePages({
  here,
  flush = false,
}: {
  here: (typeof certificatePages)[number]["href"];
  flush?: boolean;
}) {
  return (
    <div className={flush ? "-mb-px" : "pb-3"}>
      <SubNav label="Certificates" pages={certificatePages} here={here} />
    </div>
  );
}
