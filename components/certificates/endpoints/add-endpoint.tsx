"use client";

import { Plus } from "lucide-react";
import { useRouter } from "next/navigation";
import { lazy, Suspense, useState } from "react";
import { Dialog } from "@/components/ui/dialog";
import { GuardedButton } from "@/components/ui/guarded-button";
import { Skeleton } from "@/components/ui/skeleton";
import type { CertificateEndpointDetail } from "@/lib/certificates/contract";

const AddEndpointSteps = lazy(async () => ({
  default: (await import("@/components/certificates/endpoints/add-endpoint-steps")).AddEndpointSteps,
}));

/** The button that adds an endpoint: first the form, then the result of the first check. */
export function AddEndpoint({ reason }: { reason: string | null }) {
  const [open, setOpen] = useState(false);
  const [added, setAdded] = useState<CertificateEndpointDetail | null>(null);
  const [hasAdded, setHasAdded] = useState(false);
  const router = useRouter();
  const change = (next: boolean) => {
    setOpen(next);
    setAdded(null);
    if (!next && hasAdded) router.refresh();
    setHasAdded(false);
  };
  const show = (endpoint: CertificateEndpointDetail) => {
    setAdded(endpoint);
    setHasAdded(true);
  };
  return (
    <>
      <GuardedButton kind="primary" reason={reason} onClick={() => change(true)}>
        <Plus size={14} aria-hidden="true" />
        Add endpoint
      </GuardedButton>
      <Dialog
        open={open}
        onOpenChange={change}
        title={added ? "Endpoint added" : "Add an endpoint"}
        description={
          added ? undefined : "Sealwatch checks its certificate now and then regularly, more often as it nears expiry."
        }
        wide={added !== null}
      >
        <Suspense fallback={<Skeleton className="h-40" />}>
          <AddEndpointSteps added={added} onAdded={show} onMore={() => setAdded(null)} onClose={() => change(false)} />
        </Suspense>
      </Dialog>
    </>
  );
}
