"use client";

import { lazy, Suspense, useState } from "react";
import { CheckNow } from "@/components/certificates/endpoints/check-now";
import { DeleteEndpoint } from "@/components/certificates/endpoints/delete-endpoint";
import type { EditedEndpoint } from "@/components/certificates/endpoints/endpoint-fields";
import { savedWords } from "@/components/certificates/endpoints/saved-words";
import { endpointName } from "@/components/certificates/inventory/names";
import { useFreshRouter } from "@/components/requests/use-fresh-router";
import { Dialog } from "@/components/ui/dialog";
import { GuardedButton } from "@/components/ui/guarded-button";
import { Skeleton } from "@/components/ui/skeleton";
import { showToast } from "@/components/ui/toast";

const EndpointForm = lazy(async () => ({
  default: (await import("@/components/certificates/endpoints/endpoint-form")).EndpointForm,
}));
/** The actions of an endpoint. */
export function EndpointActions({ endpoint, reason }: { endpoint: EditedEndpoint; reason: string | null }) {
  const [action, setAction] = useState<"edit" | "delete" | null>(null);
  const router = useFreshRouter();
  const name = endpointName(endpoint);
  const close = () => setAction(null);
  return (
    <>
      <GuardedButton kind="danger" reason={reason} onClick={() => setAction("delete")}>
        Delete…
      </GuardedButton>
      <GuardedButton reason={reason} onClick={() => setAction("edit")}>
        Edit…
      </GuardedButton>
      <CheckNow id={endpoint.id} reason={reason} />
      <Dialog open={action === "edit"} onOpenChange={close} title={`Edit ${name}`}>
        <Suspense fallback={<Skeleton className="h-40" />}>
          <EndpointForm
            endpoint={endpoint}
            onCancel={close}
            onSaved={(saved) => {
              showToast(savedWords(endpoint, saved));
              close();
            }}
          />
        </Suspense>
      </Dialog>
      {action === "delete" && (
        <DeleteEndpoint
          id={endpoint.id}
          name={name}
          onCancel={close}
          onDeleted={() => {
            showToast(`${name} was deleted.`);
            router.replace("/certificates");
          }}
        />
      )}
    </>
  );
}
