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

type Listed = Pick<TrustStore, "id" | "name" | "endpoint_count" | "monitor_count">;

/** Why a trust store cannot be deleted; null if nothing uses it. */
function usersOf({ endpoint_count, monitor_count }: Listed): string | null {
  if (endpoint_count + monitor_count === 0) return null;
  const users = [
    ...(endpoint_count > 0 ? [plural(endpoint_count, "endpoint")] : []),
    ...(monitor_count > 0 ? [plural(monitor_count, "monitor")] : []),
  ];
  const verb = endpoint_count + monitor_count === 1 ? "uses" : "use";
  return `${users.join(" and ")} ${verb} it. Choose another trust store for them first.`;
}

/** The actions of a trust store. */
export function TrustStoreActions({ store, reason }: { store: Listed; reason: string | null }) {
  const { id, name } = store;
  const [edited, setEdited] = useState<TrustStoreDetail | null>(null);
  const [isReading, setReading] = useState(false);
  const inUse = usersOf(store);

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
        <p>No endpoint or monitor uses it. You can upload its certificates again later.</p>
      </ConfirmedButton>
    </>
  );
}
