import Link from "next/link";
import { Lasting, Time } from "@/components/time/time";
import { formatSpan } from "@/components/time/time-format";
import { Status } from "@/components/ui/badge";
import { reasonWords } from "@/components/uptime/words";
import type { Incident } from "@/lib/uptime/incidents/contract";

/** Incidents, one per line. `named` adds the name of the monitor. */
export function IncidentLines({ incidents, named = false }: { incidents: readonly Incident[]; named?: boolean }) {
  return (
    <ul className="border-t">
      {incidents.map((incident) => (
        <li key={incident.id}>
          <Link
            prefetch={false}
            href={`/uptime/incidents/${incident.id}`}
            className="grid h-7 grid-cols-[7rem_minmax(0,1fr)_auto] max-sm:grid-cols-[5rem_minmax(0,1fr)_auto] items-center gap-3 border-b px-4 hover:bg-sunken focus-visible:-outline-offset-2 sm:px-5 pointer-coarse:h-10"
          >
            {incident.ended_at === null ? (
              <Status tone="bad">Ongoing</Status>
            ) : (
              <span className="text-second tabular-nums">{formatSpan(incident.duration_seconds * 1000)}</span>
            )}
            <span className="truncate">
              {named && <span className="mr-2.5 font-medium">{incident.monitor.name}</span>}
              {reasonWords(incident)}
            </span>
            <span className="text-second">
              {incident.ended_at === null ? (
                <>
                  for <Lasting since={incident.started_at} />
                </>
              ) : (
                <Time value={incident.started_at} />
              )}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
