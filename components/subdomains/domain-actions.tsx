"use client";

import { lazy, Suspense, useState } from "react";
import { useFreshRouter } from "@/components/requests/use-fresh-router";
import { showFailure } from "@/components/states/show-failure";
import { useDeleteDomain, useDiscoverDomain } from "@/components/subdomains/queries";
import { discoveryWords } from "@/components/subdomains/words";
import { ConfirmedButton } from "@/components/ui/confirmed-button";
import { Dialog } from "@/components/ui/dialog";
import { GuardedButton } from "@/components/ui/guarded-button";
import { Skeleton } from "@/components/ui/skeleton";
import { showToast } from "@/components/ui/toast";
import type { Domain } from "@/lib/subdomains/domain-contract";

const DomainForm = lazy(async () => ({ default: (await import("@/components/subdomains/domain-form")).DomainForm }));

/** The actions of a domain. */
export function DomainActions({ domain, reason }: { domain: Domain; reason: string | null }) {
  const { id, name, proof } = domain;
  const [isEditing, setIsEditing] = useState(false);
  const router = useFreshRouter();
  const discover = useDiscoverDomain();
  const close = () => setIsEditing(false);
  return (
    <>
      <ConfirmedButton
        label="Delete…"
        reason={reason}
        title={`Delete ${name}?`}
        action="Delete domain"
        mutation={useDeleteDomain()}
        variables={{ id }}
        onDone={() => {
          showToast(`${name} was deleted.`);
          router.replace("/subdomains/domains");
        }}
      >
        <p>This deletes the names found and the certificates issued for them. Endpoints stay monitored.</p>
      </ConfirmedButton>
      <GuardedButton reason={reason} onClick={() => setIsEditing(true)}>
        Edit…
      </GuardedButton>
      <GuardedButton
        kind={proof.proven_at === null ? "plain" : "primary"}
        reason={reason ?? (proof.proven_at === null ? "Verify this domain first." : null)}
        pending={discover.isPending}
        onClick={() =>
          discover.mutate(
            { id },
            {
              onSuccess: ({ sources }) => showToast(discoveryWords(sources, Date.now())),
              onError: showFailure,
            },
          )
        }
      >
        Run discovery
      </GuardedButton>
      <Dialog open={isEditing} onOpenChange={close} title={`Edit ${name}`}>
        <Suspense fallback={<Skeleton className="h-64" />}>
          <DomainForm
            domain={domain}
            onCancel={close}
            onSaved={() => {
              showToast(`${name} was saved.`);
              close();
            }}
          />
        </Suspense>
      </Dialog>
    </>
  );
}
