import Link from "next/link";
import { flagTones } from "@/components/audit-logs/entry/flag-tones";
import { groupHref, groupWords } from "@/components/security-events/group-words";
import { EmptySection } from "@/components/states/empty-section";
import { entriesHref } from "@/components/statistics/range";
import { Ago, Time } from "@/components/time/time";
import { Badge } from "@/components/ui/badge";
import { flagLabels } from "@/lib/audit-logs/flag-labels";
import { isAlarming } from "@/lib/audit-logs/flags";
import { groupSecurityEvents } from "@/lib/audit-logs/security/group-security-events";
import type { Principal } from "@/lib/http/principal";
import { plural } from "@/lib/text/counts";

const MAX_ROWS = 6;

/** The security events that need attention since `since`, in words, and the number of sign-ins and changes. */
export async function SecurityPart({ principal, since }: { principal: Principal; since: number }) {
  const found = await groupSecurityEvents(principal, { since });
  const alarming = found.groups.filter(({ flag }) => isAlarming(flag));
  const quiet = found.groups.filter(({ flag }) => !isAlarming(flag));
  const atLeast = found.has_more ? "at least " : "";
  const recorded = quiet.reduce((sum, { events }) => sum + events, 0);
  const flag = [...new Set(quiet.map((group) => group.flag))].join(",");
  const others = recorded > 0 && (
    <Link prefetch={false} href={entriesHref(found, { flag })} className="hover:underline">
      {atLeast}
      {plural(recorded, "sign-in or change by a member", "sign-ins and changes by members")}
    </Link>
  );
  const counted = <Time value={found.since} />;
  if (alarming.length === 0) {
    return (
      <EmptySection>
        {found.has_earlier ? (
          <>Nothing since {counted} needs attention; older events were not counted.</>
        ) : (
          "Nothing needs attention."
        )}{" "}
        {others}
      </EmptySection>
    );
  }
  return (
    <>
      <ul className="border-t">
        {alarming.slice(0, MAX_ROWS).map((group) => (
          <li key={`${group.flag} ${group.source.type} ${group.source.id}`}>
            <Link
              prefetch={false}
              href={groupHref(group, (filters) => entriesHref(found, filters))}
              className="grid min-h-7 grid-cols-[9.5rem_minmax(0,1fr)_auto] items-center gap-x-3 border-b px-4 py-0.5 hover:bg-sunken focus-visible:-outline-offset-2 max-sm:grid-cols-[minmax(0,1fr)_auto] max-sm:py-2 sm:px-5"
            >
              <span className="max-sm:row-start-1">
                <Badge tone={flagTones[group.flag]}>{flagLabels[group.flag]}</Badge>
              </span>
              <span className="text-pretty max-sm:col-span-2 max-sm:row-start-2">{groupWords(group)}</span>
              <span className="whitespace-nowrap text-second max-sm:row-start-1">
                <Ago value={group.last_at} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {(alarming.length > MAX_ROWS || recorded > 0 || found.has_earlier) && (
        <p className="px-4 pt-2 text-second sm:px-5">
          {alarming.length > MAX_ROWS && `and ${atLeast}${alarming.length - MAX_ROWS} more that need attention`}
          {alarming.length > MAX_ROWS && recorded > 0 && "; "}
          {others} {found.has_earlier && <>Events before {counted} were not counted.</>}
        </p>
      )}
    </>
  );
}
