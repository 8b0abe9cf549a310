"use client";

import { type ReactNode, useLayoutEffect } from "react";
import { SessionEnded } from "@/components/layout/session-ended";
import { dismissSessionEnd, noticeSessionReturn, useSessionEnd } from "@/components/requests/session-end";
import { NoteArrival } from "@/components/states/late";
import { OfflineNotice } from "@/components/states/offline-notice";
import { OfflineRouter } from "@/components/states/offline-router";
import { Toaster } from "@/components/ui/toast";
import { setPageOrganization } from "@/lib/http/page-organization";

declare global {
  /** The nonce of the page's content security policy, for packages that add style elements. */
  var __webpack_nonce__: string | undefined;
}

if (typeof document !== "undefined") {
  globalThis.__webpack_nonce__ = document.querySelector<HTMLElement>("script[nonce]")?.nonce;
}

/** What all pages share in the browser: the toasts, the notice without a connection, and the dialog for an expired session. */
export function Providers({
  who,
  organizationId = null,
  children,
}: {
  who: string;
  /** The organization that the page shows, in which its requests act. */
  organizationId?: string | null;
  children: ReactNode;
}) {
  const hasEnded = useSessionEnd();
  // Before the effects of the children, which may send requests.
  useLayoutEffect(() => setPageOrganization(organizationId), [organizationId]);
  return (
    <>
      <OfflineRouter>{children}</OfflineRouter>
      <NoteArrival />
      <Toaster />
      <OfflineNotice />
      <SessionEnded open={hasEnded} who={who} onClose={dismissSessionEnd} onReturn={noticeSessionReturn} />
    </>
  );
}
