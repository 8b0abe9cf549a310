"use client";

import { lazy, Suspense, useState } from "react";
import { readTrustStore, useDeleteTrustStore } from "@/components/certificates/queries";
import { failureOf } from "@/components/states/failure";
import { plural } from "@/components/time/time-format";
import { ConfirmedButton } from "@/components/ui/confirmed-button";
import { Dialog } from "@/components/ui/dialog";
import { GuardedButton } from "@/components/ui/guarded-button";
import { Skeleton } from "@/components/ui/skeleton";
import { showToast } from "@/components/ui/toast";
import type { TrustStore, TrustStoreDetail } from "@/lib/certificates/trust-stores/trust-store-contract";

const TrustStoreForm = lazy(async () => ({
  default: (await import("@/components/certificates/trust-stores/trust-store-form")).TrustStoreForm,
}));

type Listed = Pick<TrustStore, "id" | "name" | "endpoint_count">;

/** The actions of a trust store. */
export function TrustStoreActions({ store, reason }: { store: Listed; reason: string | null }) {
  const { id, name, endpoint_count } = store;
  const [edited, setEdited] = useState<TrustStoreDetail | null>(null);
  const [isReading, setReading] = useState(false);
  const inUse =
    endpoint_count > 0
      ? `${plural(endpoint_count, "endpoint")} ${endpoint_count === 1 ? "uses" : "use"} it. Choose another trust store for them first.`
      : null;

  async function edit() {
    setReading(true);
    try {
      setEdited(await readTrustStore(id));
    } catch (error) {
      showToast(failureOf(error).message ?? "The trust store could not be loaded.");
    }
    setReading(false);
  }

  return (
    <>
      <GuardedButton kind="quiet" reason={reason} pending={isReading} aria-label={`Edit ${name}`} onClick={edit}>
        Edit…
      </GuardedButton>
      <Dialog open={edited !== null} onOpenChange={() => setEdited(null)} title={`Edit ${name}`} wide>
        <Suspense fallback={<Skeleton className="h-64" />}>
          {edited && <TrustStoreForm store={edited} onClose={() => setEdited(null)} />}
        </Suspense>
      </Dialog>
      <ConfirmedButton
        kind="quiet"
        label="Delete…"
        name={`Delete ${name}`}
        reason={reason ?? inUse}
        title={`Delete ${name}?`}
        action="Delete trust store"
        mutation={useDeleteTrustStore()}
        variables={{ id }}
        onDone={() => showToast(`${name} was deleted.`)}
      >
        <p>No endpoint uses it. You can upload its certificates again later.</p>
      </ConfirmedButton>
    </>
  );
}
