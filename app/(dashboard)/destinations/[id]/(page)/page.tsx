import type { Metadata } from "next";
import { ResourceHistory } from "@/components/audit-logs/changes/resource-history";
import { knownNames } from "@/components/audit-logs/filters/known-values";
import { DestinationActions } from "@/components/destinations/detail/destination-actions";
import { DestinationFacts } from "@/components/destinations/detail/destination-facts";
import { LastErrors } from "@/components/destinations/detail/last-errors";
import { Throughput } from "@/components/destinations/detail/throughput";
import { DESTINATIONS } from "@/components/destinations/words";
import { orNotFound } from "@/components/states/or-not-found";
import { readOnlyReason } from "@/components/states/read-only";
import { RefreshWhile } from "@/components/states/refresh-while";
import { Note } from "@/components/ui/note";
import { PageHeader } from "@/components/ui/page-header";
import { getSealedLog } from "@/lib/audit-logs/seal/get";
import { requirePrincipal } from "@/lib/auth/session";
import { getDestinationActivity } from "@/lib/destinations/activity";
import { getDestination } from "@/lib/destinations/get";
import { shapeOf } from "@/lib/destinations/shapes";

export const metadata: Metadata = { title: "Destination" };

export default async function DestinationPage({ params }: { params: Promise<{ id: string }> }) {
  const principal = await requirePrincipal();
  const [destination, { hours, errors }] = await Promise.all([
    orNotFound(params, (id) => getDestination(principal, { id })),
    orNotFound(params, (id) => getDestinationActivity(principal, { id })),
  ]);
  const [{ epoch, size, oldest_index }, known] = await Promise.all([
    getSealedLog(principal),
    knownNames(principal, JSON.stringify(destination.query)),
  ]);
  const { id, name, state, type, paused_reason } = destination;
  const shape = shapeOf(type);
  return (
    <>
      <RefreshWhile active={state !== "paused"} />
      <PageHeader
        back={{ href: DESTINATIONS, label: "Destinations" }}
        title={name}
        actions={
          <DestinationActions
            destination={{ id, name, state }}
            isSigned={shape.isSigned ?? false}
            log={{ epoch, size, oldest: oldest_index }}
            reason={readOnlyReason(principal.permission)}
          />
        }
      >
        {shape.label}
      </PageHeader>
      {state === "paused" && (
        <div className="px-4 pb-3 sm:px-5">
          <Note tone="warn">
            {paused_reason ?? "A person paused this destination."} Its position in the log is kept; entries that expire
            meanwhile are not sent. Resume it to send on from there.
          </Note>
        </div>
      )}
      <div className="px-4 pt-2 sm:px-5">
        <DestinationFacts destination={destination} known={known} />
      </div>
      <section className="pt-7" aria-labelledby="throughput">
        <h2 id="throughput" className="px-4 pb-4 font-medium text-lg sm:px-5">
          Events sent per hour
        </h2>
        <Throughput hours={hours} />
      </section>
      <LastErrors errors={errors} />
      <ResourceHistory principal={principal} type="destination" id={id} />
    </>
  );
}
