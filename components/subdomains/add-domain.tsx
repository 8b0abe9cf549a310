"use client";

import { Plus } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useFreshRouter } from "@/components/requests/use-fresh-router";
import { Dialog } from "@/components/ui/dialog";
import { GuardedButton } from "@/components/ui/guarded-button";
import { Skeleton } from "@/components/ui/skeleton";

const DomainForm = lazy(async () => ({ default: (await import("@/components/subdomains/domain-form")).DomainForm }));

/** The button that adds a domain and opens its page, which explains how to verify it. */
export function AddDomain({ reason }: { reason: string | null }) {
  const [open, setOpen] = useState(false);
  const router = useFreshRouter();
  return (
    <>
      <GuardedButton kind="primary" reason={reason} onClick={() => setOpen(true)}>
        <Plus size={14} aria-hidden="true" />
        Add domain
      </GuardedButton>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Add a domain"
        description="Verify with a TXT record that you own it. Sealwatch then searches for its subdomains."
      >
        <Suspense fallback={<Skeleton className="h-64" />}>
          <DomainForm onCancel={() => setOpen(false)} onSaved={({ id }) => router.push(`/subdomains/domains/${id}`)} />
        </Suspense>
      </Dialog>
    </>
  );
}
