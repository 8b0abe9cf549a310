"use client";

import type { FilterNames } from "@/components/audit-logs/filters/filter-box";
import { DestinationForm } from "@/components/destinations/form/destination-form";
import type { FormKind } from "@/components/destinations/form/kind-field";
import { DESTINATIONS } from "@/components/destinations/words";
import { useFreshRouter } from "@/components/requests/use-fresh-router";
import { showToast } from "@/components/ui/toast";
import type { Destination } from "@/lib/destinations/contract";

/** The form of a saved destination; returns to its page. */
export function EditDestination(props: {
  kind: FormKind;
  destination: Destination;
  known: FilterNames;
  reason: string | null;
}) {
  const router = useFreshRouter();
  const page = `${DESTINATIONS}/${props.destination.id}`;
  return (
    <DestinationForm
      {...props}
      back={page}
      onSaved={({ name }: Destination) => {
        showToast(`${name} was saved.`);
        router.push(page);
      }}
    />
  );
}
