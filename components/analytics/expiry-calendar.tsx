import Link from "next/link";
import { cx } from "@/components/ui/cx";
import { plural } from "@/lib/text/counts";
import { DAY_MS } from "@/lib/time/units";

const weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

interface ExpiryDay {
  /** The start of the day in UTC, RFC 3339. */
  start: string;
  certificates: number;
  endpoints: number;
}

interface Month {
  name: string;
  /** Empty cells before the first day, so that each day is under its weekday. */
  offset: number;
  days: ExpiryDay[];
}

/** Groups days by calendar month in UTC, in order. */
export function monthsOf(days: readonly ExpiryDay[]): Month[] {
  const months = new Map<string, Month>();
  for (const day of days) {
    const date = new Date(day.start);
    const key = day.start.slice(0, 7);
    const name = date.toLocaleDateString("en-GB", { month: "long", year: "numeric", timeZone: "UTC" });
    const month = months.get(key) ?? { name, offset: (date.getUTCDay() + 6) % 7, days: [] };
    month.days.push(day);
    months.set(key, month);
  }
  return [...months.values()];
}

/** The URL of the certificates in use that expire within a part of a series, which counts from `since`. RFC 3339. */
export function expiringHref(since: string, start: string, until: string): string {
  const expires_after = start < since ? since : start;
  return `/certificates/inventory?${new URLSearchParams({ expires_after, expires_before: until, unused: "false" })}`;
}

/** Expiries by day from `since`, in a grid of months; a day with expiries links to its certificates. */
export function ExpiryCalendar({ since, days }: { since: string; days: readonly ExpiryDay[] }) {
  const most = Math.max(1, ...days.map(({ certificates }) => certificates));
  return (
    <div className="grid grid-cols-[repeat(auto-fill,minmax(13.5rem,1fr))] gap-x-8 gap-y-6">
      {monthsOf(days).map(({ name, offset, days: own }) => (
        <section key={name}>
          <h3 className="pb-1 font-medium">
            {name}
            <span className="ml-2 font-normal text-second">
              {plural(
                own.reduce((sum, { certificates }) => sum + certificates, 0),
                "certificate",
              )}
            </span>
          </h3>
          <div aria-hidden="true" className="grid grid-cols-7 gap-px text-center text-third text-xs">
            {weekdays.map((weekday) => (
              <span key={weekday}>{weekday}</span>
            ))}
          </div>
          <ol className="grid grid-cols-7 gap-px">
            {own.map((day, at) => (
              <Day key={day.start} since={since} day={day} most={most} column={at === 0 ? offset + 1 : undefined} />
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}

/** `5 December 2026`: starts with the visible text, as accessible names should. */
function inWords(start: string): string {
  return new Date(start).toLocaleDateString("en-GB", { dateStyle: "long", timeZone: "UTC" });
}

interface DayProps {
  since: string;
  day: ExpiryDay;
  most: number;
  column: number | undefined;
}

function Day({ since, day, most, column }: DayProps) {
  const { start, certificates, endpoints } = day;
  const date = Number(start.slice(8, 10));
  const look = "grid h-7 place-items-center rounded-xs tabular-nums";
  const until = new Date(Date.parse(start) + DAY_MS).toISOString();
  return (
    <li style={column === undefined ? undefined : { gridColumnStart: column }}>
      {certificates === 0 ? (
        <span className={cx(look, "text-third")}>{date}</span>
      ) : (
        <Link
          prefetch={false}
          href={expiringHref(since, start, until)}
          aria-label={`${inWords(start)}: ${plural(certificates, "certificate")} on ${plural(endpoints, "endpoint")}`}
          title={`${plural(certificates, "certificate")} on ${plural(endpoints, "endpoint")}`}
          className={cx(
            look,
            "border border-seal/40 font-semibold text-seal hover:border-seal",
            certificates * 2 > most ? "bg-seal-wash" : "bg-transparent",
          )}
        >
          {date}
        </Link>
      )}
    </li>
  );
}
