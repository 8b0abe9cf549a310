"use client";

import { Plus } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { Dialog } from "@/components/ui/dialog";
import { GuardedButton } from "@/components/ui/guarded-button";
import { Skeleton } from "@/components/ui/skeleton";

const TrustStoreForm = lazy(async () => ({
  default: (await import("@/components/certificates/trust-stores/trust-store-form")).TrustStoreForm,
}));

/** The button that adds a trust store. */
export function AddTrustStore({ reason }: { reason: string | null }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <GuardedButton kind="primary" reason={reason} onClick={() => setOpen(true)}>
        <Plus size={14} aria-hidden="true" />
        Add trust store
      </GuardedButton>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Add a trust store"
        description="Endpoints that use it trust these certificates in addition to the public roots."
        wide
      >
        <Suspense fallback={<Skeleton className="h-64" />}>
          <TrustStoreForm onClose={() => setOpen(false)} />
        </Suspense>
      </Dialog>
    </>
  );
}
