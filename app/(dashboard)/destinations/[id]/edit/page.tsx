import type { Metadata } from "next";
import { knownFilters } from "@/components/audit-logs/filters/known-values";
import { EditDestination } from "@/components/destinations/form/edit-destination";
import { formKindOf } from "@/components/destinations/kind-fields";
import { DESTINATIONS } from "@/components/destinations/words";
import { orNotFound } from "@/components/states/or-not-found";
import { readOnlyReason } from "@/components/states/read-only";
import { PageHeader } from "@/components/ui/page-header";
import { requirePrincipal } from "@/lib/auth/session";
import { getDestination } from "@/lib/destinations/get";

export const metadata: Metadata = { title: "Edit destination" };

export default async function EditDestinationPage({ params }: { params: Promise<{ id: string }> }) {
  const principal = await requirePrincipal();
  const destination = await orNotFound(params, (id) => getDestination(principal, { id }));
  const kind = formKindOf(destination.type);
  return (
    <>
      <PageHeader
        back={{ href: `${DESTINATIONS}/${destination.id}`, label: destination.name }}
        title={`Edit ${destination.name}`}
      >
        {kind.label}
      </PageHeader>
      <EditDestination
        kind={kind}
        destination={destination}
        known={await knownFilters(principal, JSON.stringify(destination.query))}
        reason={readOnlyReason(principal.permission)}
      />
    </>
  );
}
