import Link from "next/link";
import { toneText } from "@/components/ui/badge";
import { cx } from "@/components/ui/cx";
import { plural } from "@/components/ui/time-format";
import { byUrgency, statusTone } from "@/components/uptime/words";
import type { Monitor, MonitorStatus } from "@/lib/uptime/contract";

const words: Record<MonitorStatus, string> = {
  down: "down",
  pending: "not checked yet",
  up: "up",
  paused: "paused",
};

/** How many monitors are in which state; each narrows the list to itself, and once more takes that off. */
export function MonitorFigures({ monitors, chosen }: { monitors: Monitor[]; chosen: string | undefined }) {
  const count = (status: MonitorStatus) => monitors.filter((monitor) => monitor.status === status).length;
  return (
    <p className="flex flex-wrap gap-x-5 gap-y-0.5 px-4 pb-2.5 text-second sm:px-5">
      <Link href="/uptime" className="hover:underline">
        <strong className="font-semibold text-ink tabular-nums">{monitors.length}</strong>{" "}
        {plural(monitors.length, "monitor").replace(/^\S+ /, "")}
      </Link>
      {byUrgency
        .filter((status) => count(status) > 0)
        .map((status) => (
          <Link
            key={status}
            href={chosen === status ? "/uptime" : `/uptime?status=${status}`}
            aria-current={chosen === status ? "true" : undefined}
            className="rounded-sm hover:underline aria-current:underline"
          >
            <strong className={cx("font-semibold tabular-nums", toneText[statusTone[status]])}>{count(status)}</strong>{" "}
            {words[status]}
          </Link>
        ))}
    </p>
  );
}
