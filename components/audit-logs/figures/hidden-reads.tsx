import Link from "next/link";
import { EXPLORER } from "@/components/audit-logs/views/view";
import { hrefWith } from "@/components/layout/href-with";
import { plural } from "@/lib/text/counts";

/** Says how many reads by people in the dashboard the list hides, and shows them; `hidden` is null if it hides none by itself. */
export function HiddenReads({ hidden, params }: { hidden: number | null; params: Record<string, string> }) {
  const isShown = params.reads === "shown";
  if (!isShown && !hidden) return null;
  return (
    <Link
      prefetch={false}
      scroll={false}
      href={hrefWith(EXPLORER, params, { reads: isShown ? null : "shown", entry: null })}
      className="inline-block rounded-sm border bg-sunken px-1.5 hover:text-ink"
    >
      {isShown ? "Showing" : "Hiding"} {isShown ? "reads" : plural(hidden ?? 0, "read")} by people in the dashboard ·{" "}
      <span className="text-seal">{isShown ? "Hide" : "Show"}</span>
    </Link>
  );
}
