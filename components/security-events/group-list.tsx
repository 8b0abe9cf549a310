import Link from "next/link";
import type { ReactNode } from "react";
import { flagTones } from "@/components/audit-logs/entry/flag-tones";
import { flagWords } from "@/components/audit-logs/entry/flag-words";
import { Trend } from "@/components/charts/trend";
import {
  actionWords,
  type EntriesOf,
  groupAdvice,
  groupFilters,
  groupHref,
  groupWords,
  sourceName,
} from "@/components/security-events/group-words";
import { countryName } from "@/components/statistics/countries";
import { RowLinks } from "@/components/table/row-links";
import { Ago, Time } from "@/components/time/time";
import { Badge } from "@/components/ui/badge";
import { flagLabels } from "@/lib/audit-logs/flag-labels";
import { isAlarming } from "@/lib/audit-logs/flags";
import type { SecurityEventGroup } from "@/lib/audit-logs/security/groups-contract";
import { isStranger } from "@/lib/audit-logs/standing";
import { formatCount, plural } from "@/lib/text/counts";

const row =
  "grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-4 border-b px-4 py-2 sm:px-5 md:grid-cols-[10rem_minmax(0,1fr)_6rem_4.5rem_8rem]";

/** Groups that need attention, described in words and with advice. */
export function AlarmingGroups({ groups, entriesOf }: { groups: readonly SecurityEventGroup[]; entriesOf: EntriesOf }) {
  return (
    <RowLinks rows="li">
      <ul aria-label="Needs attention" className="border-t">
        {groups.map((group) => (
          <GroupRow key={keyOf(group)} group={group} entriesOf={entriesOf}>
            <p className="text-pretty">{groupWords(group)}</p>
            <p className="text-pretty text-second">
              {groupAdvice(group)}{" "}
              {group.strangers !== null && (
                <Link
                  prefetch={false}
                  href={groupHref(group, entriesOf)}
                  className="font-medium text-seal hover:underline"
                >
                  See who still uses it
                </Link>
              )}
            </p>
            <Addresses group={group} entriesOf={entriesOf} />
          </GroupRow>
        ))}
      </ul>
    </RowLinks>
  );
}

/** Groups that are recorded for reference, one per line. */
export function RecordedGroups({ groups, entriesOf }: { groups: readonly SecurityEventGroup[]; entriesOf: EntriesOf }) {
  return (
    <RowLinks rows="li">
      <ul aria-label="Activity" className="border-t">
        {groups.map((group) => (
          <GroupRow key={keyOf(group)} group={group} entriesOf={entriesOf}>
            <p className="break-words md:truncate" title={flagWords[group.flag]}>
              <span className="font-medium">{sourceName(group.source)}</span>{" "}
              <span className="text-second">{actionWords(group.flag)}</span>
            </p>
          </GroupRow>
        ))}
      </ul>
    </RowLinks>
  );
}

const keyOf = ({ flag, source }: SecurityEventGroup) => `${flag} ${source.type} ${source.id}`;

function GroupRow({
  group,
  entriesOf,
  children,
}: {
  group: SecurityEventGroup;
  entriesOf: EntriesOf;
  children: ReactNode;
}) {
  const { flag, source, events, series, first_at, last_at } = group;
  const href = entriesOf(groupFilters(group));
  return (
    <li className={`${row} cursor-pointer hover:bg-sunken has-[a[data-row]:focus-visible]:bg-seal-wash`}>
      <span className="max-md:col-start-1 max-md:row-start-1">
        <Badge tone={flagTones[flag]}>{flagLabels[flag]}</Badge>
      </span>
      <div className="min-w-0 max-md:col-span-2 max-md:row-start-2 max-md:pt-1">{children}</div>
      <span className="max-md:hidden">
        <Trend
          series={series}
          tone={flagTones[flag]}
          label={`${plural(events, "event")} in this range, at most ${Math.max(...series)} per interval`}
        />
      </span>
      <Link
        prefetch={false}
        href={href}
        aria-label={`Show ${plural(events, "event")}: ${flagLabels[flag]}, ${sourceName(source)}`}
        data-row=""
        className="text-right font-medium tabular-nums hover:underline max-md:hidden"
      >
        {formatCount(events)}
      </Link>
      <span className="whitespace-nowrap text-right text-second max-md:col-start-2 max-md:row-start-1">
        <Link prefetch={false} href={href} className="text-ink tabular-nums md:hidden">
          {formatCount(events)}×{" "}
        </Link>
        <Ago value={last_at} />
        {events > 1 && isAlarming(flag) && (
          <span className="block text-sm text-third max-md:hidden">
            since <Time value={first_at} style="short" />
          </span>
        )}
      </span>
    </li>
  );
}

/** The addresses, each linked to its events. */
function Addresses({ group, entriesOf }: { group: SecurityEventGroup; entriesOf: EntriesOf }) {
  const { by_ip, unique_ips } = group;
  return (
    <p className="flex flex-wrap gap-x-4 text-second">
      {by_ip.map(({ value, country, events, standing }) => (
        <span key={value} className="whitespace-nowrap">
          <Link
            prefetch={false}
            href={entriesOf({ ...groupFilters(group), ip: value })}
            title={country === null ? "Show events" : `${countryName(country)}: show events`}
            className="font-mono text-ink text-sm hover:underline"
          >
            {value}
          </Link>{" "}
          <span className="text-sm">
            {standing !== null && isStranger(standing) && <span className="text-bad">unrecognized </span>}
            {country} {by_ip.length > 1 && `${formatCount(events)}×`}
          </span>
        </span>
      ))}
      {unique_ips > by_ip.length && <span>and {unique_ips - by_ip.length} more</span>}
    </p>
  );
}
