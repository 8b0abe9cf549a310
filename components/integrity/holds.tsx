import type { KnownValues } from "@/components/audit-logs/filters/filter-fields";
import { ShownFilters } from "@/components/audit-logs/filters/shown-filters";
import { EXPLORER } from "@/components/audit-logs/views/view";
import { PlaceHold } from "@/components/integrity/place-hold";
import { ReleaseHold } from "@/components/integrity/release-hold";
import { readOnlyReason } from "@/components/states/read-only";
import { Time } from "@/components/time/time";
import type { AuditHold } from "@/lib/audit-logs/hold/contract";
import type { Principal } from "@/lib/http/principal";

/** The legal holds: who placed each, why and since when, and the forms that place and release them. */
export function Holds({
  holds,
  known,
  principal,
}: {
  holds: readonly AuditHold[];
  /** What their filters name. */
  known: KnownValues;
  principal: Principal;
}) {
  const reason = readOnlyReason(principal.permission);
  return (
    <section id="holds" className="border-t px-4 py-3 sm:px-5" aria-labelledby="holds-title">
      <div className="mb-1 flex items-center justify-between gap-4">
        <h2 id="holds-title" className="font-medium">
          Legal holds
        </h2>
        <PlaceHold reason={reason} />
      </div>
      {holds.length === 0 ? (
        <p className="text-pretty text-second">
          Nothing is on hold. While a hold is active, the entries it covers do not expire and cannot be redacted, and
          the organization cannot be deleted.
        </p>
      ) : (
        <ul className="divide-y">
          {holds.map((hold) => (
            <li key={hold.id} className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 py-2">
              <Hold hold={hold} known={known} />
              {hold.released_at === null && <ReleaseHold id={hold.id} name={hold.name} reason={reason} />}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Hold({
  hold: { name, reason, filter, covers_since, placed_at, placed_by, released_at, released_by },
  known,
}: {
  hold: AuditHold;
  known: KnownValues;
}) {
  const { since: _, until, ...filters } = Object.fromEntries(new URLSearchParams(filter ?? ""));
  const isActive = released_at === null;
  return (
    <div className="min-w-0 max-w-[70ch]">
      <p className="break-words">
        <span className={isActive ? "font-medium" : "text-second"}>{name}</span>
        <span className="text-second">: {reason}</span>
      </p>
      <div className="flex flex-wrap items-baseline gap-x-2 break-words text-second text-sm">
        {filter === null || Object.keys(filters).length === 0 ? (
          "The whole log"
        ) : (
          <ShownFilters filters={filters} known={known} href={`${EXPLORER}?${viewOf(filter, covers_since)}`} />
        )}
        <span>
          from <Time value={covers_since} style="day" /> {until === undefined ? "on" : "until "}
          {until !== undefined && <Time value={until} style="day" />}
        </span>
      </div>
      <p className="break-words text-second text-sm">
        Placed by {placed_by.name}, <Time value={placed_at} style="full" />
        {released_at !== null && (
          <>
            ; released by {released_by?.name}, <Time value={released_at} style="full" />
          </>
        )}
      </p>
    </div>
  );
}

/** The address of what a filter selects, since the hold began to cover it. */
function viewOf(filter: string, since: string): URLSearchParams {
  const view = new URLSearchParams(filter);
  if (!view.has("since")) view.set("since", since);
  return view;
}
