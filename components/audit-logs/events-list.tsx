import Link from "next/link";
import { EventsTable } from "@/components/audit-logs/events-table";
import { Figures } from "@/components/audit-logs/figures";
import { FilterBar } from "@/components/audit-logs/filter-bar";
import { Histogram } from "@/components/audit-logs/histogram";
import { ListActions } from "@/components/audit-logs/list-actions";
import { RangeMenu } from "@/components/audit-logs/range-menu";
import type { EventsRead } from "@/components/audit-logs/read-events";
import { DEFAULT_RANGE, filtersIn, hrefWith, pagesBeside } from "@/components/audit-logs/view";
import { EmptyState } from "@/components/states/empty-state";
import { LinkButton } from "@/components/ui/button";
import { Note } from "@/components/ui/note";
import { PageHeader } from "@/components/ui/page-header";
import { filterQuery } from "@/lib/audit-logs/filters";

/** The audit log, or the part of it that is security events: figures over the list, the histogram over the figures. */
export function EventsList({
  title,
  path,
  securityOnly,
  read,
  keys,
}: {
  title: string;
  path: string;
  securityOnly: boolean;
  read: EventsRead;
  keys: { id: string; name: string }[];
}) {
  const { view, events, nextCursor, stats, issues } = read;
  const { params } = view;
  const { cursor: _cursor, order: _order, ...filters } = view.query;
  const asked = new URLSearchParams({ ...filters, ...(securityOnly && { security_event: "true" }) });
  const { since: _since, ...streamed } = Object.fromEntries(asked);
  const stream = `/api/v1/audit-logs/stream?${new URLSearchParams(streamed)}`;
  const isFirst = params.cursor === undefined;
  return (
    <>
      <PageHeader
        title={title}
        actions={
          <>
            <ListActions
              params={params}
              live={view.live}
              canBeLive={isFirst && params.order !== "asc" && params.until === undefined}
              exportQuery={asked.size > 0 ? `&${asked}` : ""}
            />
            <RangeMenu params={params} range={view.range} />
          </>
        }
      />
      <FilterBar params={params} names={Object.keys(filterQuery)} keys={keys} securityOnly={securityOnly} />
      {issues.length > 0 && (
        <div className="px-4 pb-3 sm:px-5">
          <Note tone="bad" alert>
            <p>This view cannot be shown:</p>
            <ul>
              {issues.map(({ path: name, message }) => (
                <li key={`${name} ${message}`}>
                  <span className="font-mono text-sm">{name}</span> {message}.
                </li>
              ))}
            </ul>
            <Link href={path} className="font-medium underline">
              Show the list without any of this
            </Link>
          </Note>
        </div>
      )}
      {stats && (
        <>
          <Histogram stats={stats} path={path} params={params} />
          <Figures stats={stats} path={path} params={params} />
        </>
      )}
      {events.length > 0 || view.live ? (
        <EventsTable label={title} events={events} stream={view.live ? stream : null} />
      ) : (
        stats && <NothingFound path={path} params={params} range={view.range} securityOnly={securityOnly} />
      )}
      <Pages {...pagesBeside(path, view, nextCursor)} newest={hrefWith(path, params, {})} />
    </>
  );
}

function Pages({ next, previous, newest }: { next: string | null; previous: string | null; newest: string }) {
  if (next === null && previous === null) return null;
  return (
    <nav aria-label="Pages" className="flex gap-2 px-4 pt-3 sm:px-5">
      {previous !== null && (
        <>
          <LinkButton prefetch={false} href={newest} kind="quiet">
            First page
          </LinkButton>
          <LinkButton prefetch={false} href={previous}>
            Previous page
          </LinkButton>
        </>
      )}
      {next !== null && (
        <LinkButton prefetch={false} href={next}>
          Next page
        </LinkButton>
      )}
    </nav>
  );
}

function NothingFound({
  path,
  params,
  range,
  securityOnly,
}: {
  path: string;
  params: Record<string, string>;
  range: string | null;
  securityOnly: boolean;
}) {
  const narrowed = filtersIn(params);
  const none = Object.fromEntries(narrowed.map(([name]) => [name, null]));
  const isAll = range === "all";
  return (
    <EmptyState
      title={securityOnly ? "No security event here" : "No entry here"}
      action={
        <>
          {!isAll && (
            <LinkButton href={hrefWith(path, params, { range: "all", since: null, until: null })}>
              Look at all that is kept
            </LinkButton>
          )}
          {narrowed.length > 0 && <LinkButton href={hrefWith(path, params, none)}>Take the filters off</LinkButton>}
        </>
      }
    >
      {narrowed.length > 0
        ? "Nothing in this range fits the filters."
        : `Nothing happened ${isAll ? "yet" : range === DEFAULT_RANGE ? "in the last 24 hours" : "in this range"}.`}
    </EmptyState>
  );
}
