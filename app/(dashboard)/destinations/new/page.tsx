import type { Metadata } from "next";
import { knownFilters } from "@/components/audit-logs/filters/known-values";
import { NewDestination } from "@/components/destinations/form/new-destination";
import { formKindOf } from "@/components/destinations/kind-fields";
import { KindGallery } from "@/components/destinations/kind-gallery";
import { kindWords } from "@/components/destinations/kinds";
import { DESTINATIONS } from "@/components/destinations/words";
import { hrefWith } from "@/components/layout/href-with";
import { type SearchParams, single } from "@/components/layout/search-params";
import { readOnlyReason } from "@/components/states/read-only";
import { PageHeader } from "@/components/ui/page-header";
import { requirePrincipal } from "@/lib/auth/session";
import { destinationTypes } from "@/lib/destinations/shapes";

export const metadata: Metadata = { title: "New destination" };

export default async function NewDestinationPage({ searchParams }: { searchParams: SearchParams }) {
  const principal = await requirePrincipal();
  const params = await single(searchParams);
  const about = params.about ?? null;
  const type = destinationTypes.find((each) => each === params.type);
  if (type === undefined) {
    return (
      <>
        <PageHeader back={{ href: DESTINATIONS, label: "Destinations" }} title="New destination">
          {about === null ? "Choose a kind." : "Choose a kind. It gets the entries that match the filters of the list."}
        </PageHeader>
        <KindGallery about={about} />
      </>
    );
  }
  const kind = formKindOf(type);
  return (
    <>
      <PageHeader
        back={{ href: hrefWith(`${DESTINATIONS}/new`, {}, { about }), label: "New destination" }}
        title={kind.label}
      >
        {kindWords[type].summary}
      </PageHeader>
      <NewDestination
        key={`${type} ${about}`}
        kind={kind}
        about={about}
        known={await knownFilters(principal, about ?? "")}
        reason={readOnlyReason(principal.permission)}
      />
    </>
  );
}
