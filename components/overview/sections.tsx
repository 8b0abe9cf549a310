import Link from "next/link";
import type { ReactNode } from "react";
import { Flags, whatOf, whoOf } from "@/components/audit-logs/cells";
import type { KeyNotice } from "@/components/overview/key-notices";
import type { Similar } from "@/components/overview/similar-events";
import { Ago } from "@/components/ui/time";

/** A part of the overview, with a way to all of it. */
export function Part({
  title,
  href,
  all,
  children,
}: {
  title: string;
  href: string;
  /** What the link says. */
  all: string;
  children: ReactNode;
}) {
  return (
    <section className="min-w-0">
      <div className="flex items-baseline justify-between gap-4 px-4 pb-2 sm:px-5">
        <h2 className="font-medium text-lg">{title}</h2>
        <Link href={href} className="shrink-0 text-seal hover:underline">
          {all}
        </Link>
      </div>
      {children}
    </section>
  );
}

/** A part with nothing in it says that this is good. */
export function Quiet({ children }: { children: ReactNode }) {
  return <p className="border-y px-4 py-2.5 text-second sm:px-5">{children}</p>;
}

const line =
  "grid h-7 items-center gap-3 border-b px-4 hover:bg-sunken sm:px-5 pointer-coarse:h-10 focus-visible:-outline-offset-2";

/** Security events, those that say the same on one line. */
export function SecurityLines({ lines }: { lines: Similar[] }) {
  return (
    <ul className="border-t">
      {lines.map(({ event, count }) => (
        <li key={event.id}>
          <Link
            prefetch={false}
            href={`/audit-logs/${event.id}`}
            className={`${line} grid-cols-[8.5rem_minmax(0,1fr)_auto]`}
          >
            <span className="truncate">
              <Flags flags={event.security.flags} />
            </span>
            <span className="truncate">
              {whoOf(event)} <span className="font-mono text-second text-sm">{whatOf(event)}</span>
              {count > 1 && <span className="ml-2 text-second tabular-nums">{count} times</span>}
            </span>
            <span className="text-second">
              <Ago value={event.occurred_at} />
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

const kinds: Record<KeyNotice["kind"], { words: string; colour: string }> = {
  expires: { words: "expires", colour: "text-warn" },
  overdue: { words: "should have been rotated", colour: "text-warn" },
  idle: { words: "was last used", colour: "text-second" },
  unused: { words: "was never used; created", colour: "text-second" },
};

/** Keys that want a look, one a line. */
export function KeyLines({ notices }: { notices: KeyNotice[] }) {
  return (
    <ul className="border-t">
      {notices.map(({ id, name, kind, at }) => (
        <li key={id}>
          <Link prefetch={false} href="/api-keys" className={`${line} grid-cols-[minmax(0,1fr)_auto]`}>
            <span className="truncate font-medium">{name}</span>
            <span className={kinds[kind].colour}>
              {kinds[kind].words} <Ago value={at} />
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
