import Link from "next/link";
import { EventsTable } from "@/components/audit-logs/events-table";
import { ExplorerViewProvider } from "@/components/audit-logs/explorer-view";
import { Figures } from "@/components/audit-logs/figures";
import { FilterBar } from "@/components/audit-logs/filter-bar";
import type { KnownValues } from "@/components/audit-logs/filter-fields";
import { Histogram } from "@/components/audit-logs/histogram";
import { ListActions } from "@/components/audit-logs/list-actions";
import { RangeMenu } from "@/components/audit-logs/range-menu";
import type { EventsRead } from "@/components/audit-logs/read-events";
import { EXPLORER, filtersIn, hrefWith, pagesBeside } from "@/components/audit-logs/view";
import { EmptyState } from "@/components/states/empty-state";
import { LinkButton } from "@/components/ui/button";
import { Note } from "@/components/ui/note";
import { PageHeader } from "@/components/ui/page-header";
import { DEFAULT_RANGE } from "@/lib/audit-views/ranges";

const TITLE = "Audit log";

/** The audit log: figures over the list, the histogram over the figures. */
export function EventsList({
  read,
  names,
  later,
}: {
  read: EventsRead;
  names: KnownValues;
  /** Values for completion; the page does not wait for them. */
  later: Promise<KnownValues>;
}) {
  const { view, events, nextCursor, stats, issues } = read;
  const { params } = view;
  const { cursor: _cursor, order: _order, ...filters } = view.query;
  const asked = new URLSearchParams(filters);
  const { since: _since, ...streamed } = Object.fromEntries(asked);
  const stream = `/api/v1/audit-logs/stream?${new URLSearchParams(streamed)}`;
  const isFirst = params.cursor === undefined;
  return (
    <ExplorerViewProvider>
      <PageHeader
        title={TITLE}
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
      <FilterBar names={names} later={later} />
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
            <Link href={EXPLORER} className="font-medium underline">
              Show the list without any of this
            </Link>
          </Note>
        </div>
      )}
      {stats && (
        <>
          <Histogram stats={stats} path={EXPLORER} params={params} />
          <Figures stats={stats} path={EXPLORER} params={params} />
        </>
      )}
      {events.length > 0 || view.live ? (
        <EventsTable label={TITLE} events={events} stream={view.live ? stream : null} />
      ) : (
        stats && <NothingFound path={EXPLORER} params={params} range={view.range} />
      )}
      <Pages {...pagesBeside(EXPLORER, view, nextCursor)} newest={hrefWith(EXPLORER, params, {})} />
    </ExplorerViewProvider>
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

function NothingFound({ path, params, range }: { path: string; params: Record<string, string>; range: string | null }) {
  const narrowed = filtersIn(params);
  const none = Object.fromEntries(narrowed.map(([name]) => [name, null]));
  const isAll = range === "all";
  return (
    <EmptyState
      title="No entry here"
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
