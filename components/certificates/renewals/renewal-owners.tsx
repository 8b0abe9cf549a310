import Link from "next/link";
import { RENEWALS } from "@/components/certificates/renewals/renewal-view";
import { hrefWith } from "@/components/layout/href-with";
import { cx } from "@/components/ui/cx";
import { listRenewalOwners } from "@/lib/certificates/renewals/list-renewal-owners";
import type { Principal } from "@/lib/http/principal";

/** The number of renewals by owner; each link filters the list by that owner, or removes the filter. */
export async function RenewalOwners({
  principal,
  days,
  params,
}: {
  principal: Principal;
  days: number;
  params: Record<string, string>;
}) {
  const { owners } = await listRenewalOwners(principal, { days });
  if (owners.length === 0) return null;
  return (
    <ul aria-label="Owners" className="flex flex-wrap gap-x-5 gap-y-0.5 px-4 pb-3 sm:px-5">
      {owners.map(({ owner, renewals, due }) => {
        const isChosen = owner === null ? params.owned === "false" : params.owner === owner;
        const own = owner === null ? { owned: "false", owner: null } : { owner, owned: null };
        const href = hrefWith(RENEWALS, params, isChosen ? { owner: null, owned: null } : own);
        return (
          <li key={owner ?? ""} className="min-w-0 max-w-full truncate">
            <Link
              prefetch={false}
              href={href}
              aria-current={isChosen ? "true" : undefined}
              className="rounded-sm text-second hover:underline aria-current:font-medium aria-current:text-ink aria-current:underline"
            >
              <strong className={cx("font-semibold tabular-nums", due > 0 ? "text-warn" : "text-ink")}>
                {renewals}
              </strong>{" "}
              {owner ?? "without owner"}
              {due > 0 && <span className="text-warn"> · {due} due</span>}
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
