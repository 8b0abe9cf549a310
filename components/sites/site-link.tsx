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
