import Link from "next/link";
import { eventTitle, StatusCode } from "@/components/audit-logs/events/cells";
import { Time } from "@/components/time/time";
import type { AuditEvent } from "@/lib/audit-logs/contract";

/** Entries of the same caller before and after the current one. */
export function EventsAround({ events, current }: { events: AuditEvent[]; current: string }) {
  if (events.length < 2) return <p className="text-second">No other entry within an hour.</p>;
  return (
    <ol className="-mx-2">
      {events.map((event) => (
        <li key={event.id}>
          <Link
            prefetch={false}
            href={`/audit-logs/${event.id}`}
            aria-current={event.id === current ? "true" : undefined}
            className="grid h-7 grid-cols-[9.5rem_2.5rem_minmax(0,1fr)] items-center gap-2 rounded-sm px-2 font-mono text-sm hover:bg-sunken aria-current:bg-seal-wash pointer-coarse:h-10"
          >
            <span className="truncate text-second">
              <Time value={event.occurred_at} style="clock" />
            </span>
            <StatusCode code={event.response.status_code} />
            <span className="truncate">
              <span className="text-second">{event.request?.method}</span> {eventTitle(event)}
            </span>
          </Link>
        </li>
      ))}
    </ol>
  );
}
