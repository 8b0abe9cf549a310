import type { Metadata } from "next";
import { AddDestinationButton } from "@/components/destinations/add-destination-button";
import { DestinationsTable } from "@/components/destinations/destinations-table";
import { KindGallery } from "@/components/destinations/kind-gallery";
import { NewestOnly } from "@/components/layout/newest-only";
import { readOnlyReason } from "@/components/states/read-only";
import { RefreshWhile } from "@/components/states/refresh-while";
import { PageHeader } from "@/components/ui/page-header";
import { requirePrincipal } from "@/lib/auth/session";
import { listDestinations } from "@/lib/destinations/list";

export const metadata: Metadata = { title: "Destinations" };

export default async function DestinationsPage() {
  const principal = await requirePrincipal();
  const { items, nextCursor } = await listDestinations(principal, { limit: 200, cursor: undefined });
  return (
    <>
      <RefreshWhile active={items.some(({ state }) => state !== "paused")} />
      <PageHeader title="Destinations" actions={<AddDestinationButton reason={readOnlyReason(principal.permission)} />}>
        Where the audit log is sent to: every sealed entry, in order, at least once.
      </PageHeader>
      {items.length > 0 ? (
        <DestinationsTable destinations={items} />
      ) : (
        <>
          <p className="px-4 pt-1 pb-4 text-pretty text-second sm:px-5">
            The audit log is not sent anywhere yet. Choose where your team already looks:
          </p>
          <KindGallery />
        </>
      )}
      <NewestOnly count={items.length} next={nextCursor} />
    </>
  );
}
