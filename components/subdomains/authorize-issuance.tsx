"use client";

import { lazy, Suspense, useState } from "react";
import { GuardedButton } from "@/components/ui/guarded-button";
import type { Issuance } from "@/lib/subdomains/contract";

const AuthorizeDialog = lazy(async () => ({
  default: (await import("@/components/subdomains/authorize-dialog")).AuthorizeDialog,
}));

/** The button that authorizes an issued certificate. */
export function AuthorizeIssuance({ issuance, reason }: { issuance: Issuance; reason: string | null }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <GuardedButton
        kind="quiet"
        className="-ml-2.5"
        reason={reason}
        aria-label={`Authorize the certificate for ${issuance.names[0]}`}
        onClick={() => setIsOpen(true)}
      >
        Authorize…
      </GuardedButton>
      {isOpen && (
        <Suspense>
          <AuthorizeDialog issuance={issuance} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
