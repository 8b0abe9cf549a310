"use client";

import { lazy, Suspense, useState } from "react";
import { readTrustStore, useDeleteTrustStore } from "@/components/certificates/queries";
import { forgetError } from "@/components/requests/forget-error";
import { showFailure } from "@/components/states/show-failure";
import { RowMenu } from "@/components/table/row-menu";
import { Confirm } from "@/components/ui/confirm";
import { Dialog } from "@/components/ui/dialog";
import { MenuItem } from "@/components/ui/menu";
import { Skeleton } from "@/components/ui/skeleton";
import { showToast } from "@/components/ui/toast";
import type { TrustStore, TrustStoreDetail } from "@/lib/certificates/trust-stores/trust-store-contract";
import { plural } from "@/lib/text/counts";

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
  const [isDeleting, setDeleting] = useState(false);
  const remove = useDeleteTrustStore();
  const why = reason ?? usersOf(store);

  async function edit() {
    try {
      setEdited(await readTrustStore(id));
    } catch (error) {
      showFailure(error);
    }
  }

  const askToDelete = () => {
    forgetError(remove);
    setDeleting(true);
  };
  const onDeleted = () => {
    setDeleting(false);
    showToast(`${name} was deleted.`);
  };
  return (
    <>
      <RowMenu name={name} reason={why}>
        <MenuItem disabled={reason !== null} onSelect={edit}>
          Edit…
        </MenuItem>
        <MenuItem danger={why === null} disabled={why !== null} onSelect={askToDelete}>
          Delete…
        </MenuItem>
      </RowMenu>
      <Dialog open={edited !== null} onOpenChange={() => setEdited(null)} title={`Edit ${name}`} wide>
        <Suspense fallback={<Skeleton className="h-64" />}>
          {edited && <TrustStoreForm store={edited} onClose={() => setEdited(null)} />}
        </Suspense>
      </Dialog>
      <Confirm
        open={isDeleting}
        onOpenChange={setDeleting}
        title={`Delete ${name}?`}
        action="Delete trust store"
        pending={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate({ id }, { onSuccess: onDeleted })}
      >
        <p>No endpoint or monitor uses it. You can upload its certificates again later.</p>
      </Confirm>
    </>
  );
}
