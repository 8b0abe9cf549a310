"use client";

import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useCallback, useState } from "react";
import { SessionEnded } from "@/components/layout/session-ended";
import { isRequestFailed } from "@/components/states/failure";
import { Toaster } from "@/components/ui/toast";

declare global {
  /** The nonce of the page's content security policy, for packages that add style elements. */
  var __webpack_nonce__: string | undefined;
}

if (typeof document !== "undefined") {
  globalThis.__webpack_nonce__ = document.querySelector<HTMLElement>("script[nonce]")?.nonce;
}

/** What all pages share in the browser: the query client, the toasts, and the dialog for an expired session. */
export function Providers({ who, children }: { who: string; children: ReactNode }) {
  const [hasEnded, setHasEnded] = useState(false);
  const close = useCallback(() => setHasEnded(false), []);
  const [client] = useState(() => {
    const onError = (error: unknown) => {
      if (isRequestFailed(error) && error.code === "UNAUTHENTICATED") setHasEnded(true);
    };
    return new QueryClient({
      queryCache: new QueryCache({ onError }),
      mutationCache: new MutationCache({ onError }),
      defaultOptions: {
        // Every automatic request would add an entry to the audit log, so nothing is fetched without a reason.
        queries: { retry: false, refetchOnWindowFocus: false, refetchOnReconnect: false },
      },
    });
  });
  return (
    <QueryClientProvider client={client}>
      {children}
      <Toaster />
      <SessionEnded open={hasEnded} who={who} onClose={close} />
    </QueryClientProvider>
  );
}
