import Link from "next/link";
import { hrefWith } from "@/components/layout/href-with";
import { AlarmingGroups, RecordedGroups } from "@/components/security-events/group-list";
import { narrowed } from "@/components/security-events/group-words";
import { EmptySection } from "@/components/states/empty-section";
import { EmptyState } from "@/components/states/empty-state";
import { entriesHref } from "@/components/statistics/range";
import { Time } from "@/components/time/time";
import { LinkButton } from "@/components/ui/button";
import type { Filters } from "@/lib/audit-logs/filters";
import { isAlarming } from "@/lib/audit-logs/flags";
import { groupSecurityEvents } from "@/lib/audit-logs/security/group-security-events";
import type { Principal } from "@/lib/http/principal";
import { plural } from "@/lib/text/counts";

/**
 * The security events of a range: first those that need attention, then other activity. `asked` has the filters of the URL without
 * the range.
 */
export async function SecurityEventGroups({
  principal,
  asked,
  filters,
}: {
  principal: Principal;
  asked: Record<string, string>;
  filters: Filters;
}) {
  const found = await groupSecurityEvents(principal, filters);
  const { groups, has_earlier, has_more, retention_days, since } = found;
  if (groups.length === 0 && !has_earlier) {
    return (
      <EmptyState
        title="No security events found"
        action={<LinkButton href={hrefWith("/security-events", asked, { range: "90d" })}>Show 90 days</LinkButton>}
      >
        {Object.keys(asked).length > 0
          ? "No security event in this range matches the filters."
          : "No request was refused and no security setting was changed in this range."}{" "}
        Entries are kept for {plural(retention_days, "day")}.
      </EmptyState>
    );
  }
  const entriesOf = (more: Record<string, string>) => entriesHref(found, narrowed(asked, more));
  const alarming = groups.filter(({ flag }) => isAlarming(flag));
  const recorded = groups.filter(({ flag }) => !isAlarming(flag));
  return (
    <div className="grid gap-8">
      <section>
        <h2 className="px-4 pb-2 font-medium text-lg sm:px-5">Needs attention</h2>
        {alarming.length > 0 ? (
          <AlarmingGroups groups={alarming} entriesOf={entriesOf} />
        ) : (
          <EmptySection>
            {has_earlier ? (
              <>
                Nothing since <Time value={since} /> needs attention; older events were not counted.
              </>
            ) : (
              "Nothing needs attention in this range."
            )}
          </EmptySection>
        )}
      </section>
      {recorded.length > 0 && (
        <section>
          <h2 className="px-4 pb-2 font-medium text-lg sm:px-5">Activity</h2>
          <RecordedGroups groups={recorded} entriesOf={entriesOf} />
        </section>
      )}
      <p className="px-4 text-second text-sm sm:px-5">
        {has_more && "Only 200 groups are listed, those that need attention first. "}
        {has_earlier && (
          <>
            There are too many events to count all: only those since <Time value={since} /> are included.{" "}
          </>
        )}
        Retention: {plural(retention_days, "day")}.{" "}
        <Link prefetch={false} href={entriesOf({ security_event: "true" })} className="text-seal underline">
          View all entries in the audit log
        </Link>
      </p>
    </div>
  );
}
