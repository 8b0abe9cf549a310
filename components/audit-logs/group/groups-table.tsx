import { NothingFound } from "@/components/audit-logs/events/nothing-found";
import type { KnownValues } from "@/components/audit-logs/filters/filter-fields";
import { filtersOfGroup } from "@/components/audit-logs/group/filters-of-group";
import { dimensionLabels, inWords, valueLabel } from "@/components/audit-logs/group/group-words";
import { NoneCounted } from "@/components/audit-logs/group/none-counted";
import { EXPLORER } from "@/components/audit-logs/views/view";
import { Trend } from "@/components/charts/trend";
import { hrefWith } from "@/components/layout/href-with";
import { RowLink } from "@/components/table/row-link";
import { Data, Head, Row, Table } from "@/components/table/table";
import { Time } from "@/components/time/time";
import { cx } from "@/components/ui/cx";
import type { Filters } from "@/lib/audit-logs/filters";
import type { GroupDimension } from "@/lib/audit-logs/group/dimensions";
import { groupAuditLogs } from "@/lib/audit-logs/group/group-events";
import type { AuditGroup, AuditGroups } from "@/lib/audit-logs/group/group-events-contract";
import type { Principal } from "@/lib/http/principal";
import { formatCount, plural } from "@/lib/text/counts";
import { percent } from "@/lib/text/percent";

/** The entries counted by one or two dimensions. A row links to its entries. */
export async function GroupsTable({
  principal,
  filters,
  by,
  params,
  known,
}: {
  principal: Principal;
  filters: Filters;
  by: GroupDimension[];
  params: Record<string, string>;
  known: KnownValues;
}) {
  const found = await groupAuditLogs(principal, { by, ...filters });
  if (found.events === 0) return found.has_earlier ? <NoneCounted since={found.since} /> : <NothingFound />;
  const label = by.map((dimension) => dimensionLabels[dimension].toLowerCase()).join(" and ");
  return (
    <>
      <Table
        label={`Entries by ${label}`}
        head={
          <>
            {by.map((dimension) => (
              <Head key={dimension}>{dimensionLabels[dimension]}</Head>
            ))}
            <Head numeric className="w-24 max-sm:w-22 max-sm:pr-4">
              Entries
            </Head>
            <Head numeric className="w-20 max-md:hidden">
              Share
            </Head>
            <Head className="w-32 max-md:hidden">Trend</Head>
            <Head className="w-44 max-xl:hidden">First</Head>
            <Head className="w-44 max-sm:hidden">Last</Head>
          </>
        }
      >
        {found.groups.map((group) => (
          <Row key={group.values.join("\n")}>
            {by.map((dimension, at) => (
              <Data key={dimension} className={cx(!inWords.has(dimension) && "font-mono text-sm")}>
                <Value href={at === 0 ? hrefOf(params, by, group, found) : null} title={group.values[at]}>
                  {valueLabel(dimension, group.values[at] ?? "", group.names[at] ?? null, known)}
                </Value>
              </Data>
            ))}
            <Data numeric className="max-sm:pr-4">
              {formatCount(group.events)}
            </Data>
            <Data numeric className="text-second max-md:hidden">
              {percent(group.events, found.events)}
            </Data>
            <Data className="max-md:hidden">
              <Trend series={group.series} tone="neutral" label={trendLabel(group)} />
            </Data>
            <Data className="text-second max-xl:hidden">
              <Time value={group.first_at} />
            </Data>
            <Data className="text-second max-sm:hidden">
              <Time value={group.last_at} />
            </Data>
          </Row>
        ))}
      </Table>
      <Footer found={found} label={label} />
    </>
  );
}

function Value({ href, title, children }: { href: string | null; title: string | undefined; children: string }) {
  if (href === null) return <span title={title}>{children}</span>;
  return (
    <RowLink href={href} title={title}>
      {children}
    </RowLink>
  );
}

function trendLabel({ series, events }: AuditGroup): string {
  return `${plural(events, "entry", "entries")} over time, at most ${formatCount(Math.max(...series))} per interval`;
}

/** The address of the entries that a group counts; null if no filter finds them. */
function hrefOf(
  params: Record<string, string>,
  by: GroupDimension[],
  { values }: AuditGroup,
  found: AuditGroups,
): string | null {
  const filters = filtersOfGroup(by, values, params);
  if (filters === null) return null;
  const counted = found.has_earlier ? { since: found.since, range: null } : {};
  return hrefWith(EXPLORER, params, { ...filters, ...counted, group: null, entry: null });
}

function Footer({
  found: { groups, unique_groups, events, has_earlier, since },
  label,
}: {
  found: AuditGroups;
  label: string;
}) {
  return (
    <p className="px-4 py-2.5 text-second text-sm sm:px-5">
      {groups.length === 0
        ? `No entry has a ${label}.`
        : unique_groups > groups.length
          ? `The ${groups.length} largest of ${plural(unique_groups, "group")}.`
          : `${plural(unique_groups, "group")}.`}{" "}
      {has_earlier ? (
        <>
          Counted from the newest {plural(events, "entry", "entries")}, those since <Time value={since} />.
        </>
      ) : (
        `Counted from ${plural(events, "entry", "entries")}.`
      )}
    </p>
  );
}
