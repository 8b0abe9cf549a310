import { lazy, type ReactNode, Suspense } from "react";
import { callerFilter, callerName, eventTitle, Flags, StatusCode } from "@/components/audit-logs/events/cells";
import { responseTime } from "@/components/audit-logs/events/response-time";
import { FilterValue } from "@/components/audit-logs/filters/filter-value";
import { Time, ZoneName } from "@/components/time/time";
import { formatUtc } from "@/components/time/time-format";
import { cx } from "@/components/ui/cx";
import type { AuditEvent } from "@/lib/audit-logs/contract";
import type { Column } from "@/lib/audit-views/columns";

/** Only some events have changes, so the words for them are not part of the first load. */
const ChangeSentence = lazy(async () => ({
  default: (await import("@/components/audit-logs/changes/change-sentence")).ChangeSentence,
}));

interface ColumnParts {
  /** The name in the column menu. */
  label: string;
  head?: ReactNode;
  /** The width; empty to share the remaining space. */
  width: string;
  /** The width while an entry or the facets are open beside the list, unless the user chose columns. */
  narrow?: string;
  /** Screens that hide the column unless the user chose it. */
  hidden?: string;
  /** Screens that hide the column while an entry or the facets are open beside the list, unless the user chose it. */
  yields?: string;
  numeric?: true;
  className?: string;
  cell: (event: AuditEvent) => ReactNode;
}

function value(name: string, text: string | null | undefined) {
  if (text === null || text === undefined || text === "") return null;
  return (
    <FilterValue tabIndex={-1} name={name} value={text}>
      {text}
    </FilterValue>
  );
}

const mono = "font-mono text-second text-sm";

/** Every column that the list of events can show. */
export const eventColumns: Record<Column, ColumnParts> = {
  time: {
    label: "Time",
    head: (
      <>
        Time (<ZoneName />)
      </>
    ),
    width: "w-44 max-lg:w-36 max-md:w-32",
    narrow: "w-40 max-lg:w-36 max-md:w-32 xl:max-2xl:w-36",
    className: mono,
    cell: ({ occurred_at }) => <Time value={occurred_at} style="clock" />,
  },
  utc: {
    label: "Time in UTC",
    head: "UTC",
    width: "w-56",
    className: mono,
    cell: ({ occurred_at }) => formatUtc(Date.parse(occurred_at)).slice(0, -4),
  },
  method: {
    label: "Method",
    width: "w-20",
    narrow: "w-16",
    hidden: "max-xl:hidden",
    className: mono,
    cell: ({ request }) => value("method", request?.method),
  },
  path: {
    label: "Path",
    width: "",
    className: "font-mono text-sm",
    cell: (event) => (
      <>
        {event.details?.changes && (
          <span className="mr-3 font-sans max-md:hidden">
            <Suspense>
              <ChangeSentence event={event} />
            </Suspense>
          </span>
        )}
        <span title={event.request?.path} className={event.details?.changes && "md:text-second"}>
          {event.request && <span className="mr-2 text-second xl:hidden">{event.request.method}</span>}
          <span className={event.request ? undefined : "text-second"}>{eventTitle(event)}</span>
        </span>
        {/* Phones have no room for these as columns. */}
        <span className="block h-5 truncate font-sans text-second md:hidden">
          {event.details?.changes ? (
            <Suspense fallback={callerName(event)}>
              <ChangeSentence event={event} by={callerName(event)} />
            </Suspense>
          ) : (
            callerName(event)
          )}{" "}
          <Flags flags={event.security.flags} />
        </span>
      </>
    ),
  },
  route: { label: "Route", width: "", className: mono, cell: ({ request }) => value("route", request?.route) },
  query: {
    label: "Query",
    width: "",
    className: mono,
    cell: ({ request }) => request?.query && <span title={request.query}>{request.query}</span>,
  },
  status: {
    label: "Status",
    width: "w-16",
    narrow: "w-14",
    cell: ({ response: { status_code } }) =>
      status_code !== null && (
        <FilterValue tabIndex={-1} name="status" value={String(status_code)}>
          <StatusCode code={status_code} />
        </FilterValue>
      ),
  },
  error_code: {
    label: "Error code",
    head: "Error",
    width: "w-44",
    className: mono,
    cell: ({ response }) => value("error_code", response.error_code),
  },
  flags: {
    label: "Flags",
    width: "w-44 max-2xl:w-36 max-xl:w-32",
    narrow: "w-28 2xl:w-44",
    yields: "xl:max-[90rem]:hidden",
    cell: ({ security }) => <Flags flags={security.flags} />,
  },
  who: {
    label: "Caller",
    width: "w-36 max-lg:w-28",
    narrow: "w-28",
    cell: (event) => {
      const filter = callerFilter(event);
      if (filter === null) return <span className="text-third">{callerName(event)}</span>;
      return (
        <FilterValue tabIndex={-1} {...filter} words={callerName(event)}>
          {callerName(event)}
        </FilterValue>
      );
    },
  },
  ip: {
    label: "Address",
    width: "w-36",
    hidden: "max-xl:hidden",
    yields: "hidden",
    className: mono,
    cell: ({ client }) => value("ip", client?.ip_address ?? null),
  },
  country: {
    label: "Country",
    width: "w-20",
    className: mono,
    cell: ({ client }) => value("country", client?.country ?? null),
  },
  user_agent: {
    label: "User agent",
    width: "",
    className: mono,
    cell: ({ client }) =>
      client?.user_agent && (
        <FilterValue tabIndex={-1} name="user_agent" value={client.user_agent} title={client.user_agent}>
          {client.user_agent}
        </FilterValue>
      ),
  },
  action: { label: "Action", width: "w-48", className: mono, cell: ({ resource }) => value("action", resource.action) },
  resource: {
    label: "Resource",
    width: "w-64",
    className: mono,
    cell: ({ resource }) => value("resource_id", resource.id),
  },
  body_size: {
    label: "Body size",
    head: "Body (bytes)",
    width: "w-28",
    numeric: true,
    className: "text-second",
    cell: ({ request }) => request?.body_size?.toLocaleString("en-GB"),
  },
  remaining: {
    label: "Requests left in this minute",
    head: "Left",
    width: "w-16",
    numeric: true,
    className: "text-second",
    cell: ({ security }) => security.rate_limit_remaining,
  },
  ms: {
    label: "Duration",
    head: "ms",
    width: "w-20",
    hidden: "max-xl:hidden",
    numeric: true,
    className: "text-second",
    cell: ({ response }) => (response.response_time_ms === null ? null : responseTime(response.response_time_ms)),
  },
};

/** The only columns that phones have room for. */
const onPhones: readonly Column[] = ["time", "path", "status"];

/**
 * The classes that hide a column where there is no room for it. `isUsual`: the user chose no columns; `isBeside`: an entry or
 * the facets are open beside the list.
 */
export function hiddenClass(column: Column, isUsual: boolean, isBeside: boolean): string {
  const { hidden, yields } = eventColumns[column];
  return cx(!onPhones.includes(column) && "max-md:hidden", isUsual && hidden, isUsual && isBeside && yields);
}
