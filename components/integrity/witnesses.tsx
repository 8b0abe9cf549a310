import { Ago } from "@/components/time/time";
import { Status } from "@/components/ui/badge";
import type { SealedLog } from "@/lib/audit-logs/seal/get-contract";
import { plural } from "@/lib/text/counts";

/** The witnesses of the installation's log, each with what it has cosigned last. */
export function Witnesses({ witnesses }: { witnesses: SealedLog["witnesses"] }) {
  return (
    <ul className="grid grid-cols-[minmax(0,1fr)] gap-1">
      {witnesses.map(({ name, size, cosigned_at, silent_since }) => (
        <li key={name} className="flex flex-wrap items-baseline gap-x-2">
          <span className="min-w-0 break-words">{name}</span>
          <span className="text-second tabular-nums">
            {size !== null && `${plural(size, "entry", "entries")}, `}
            {cosigned_at === null ? "has not cosigned yet" : <Ago value={cosigned_at} />}
          </span>
          {silent_since !== null && <Status tone="warn">Silent</Status>}
        </li>
      ))}
    </ul>
  );
}
