"use client";

import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useCallback, useState } from "react";
import { SessionEnded } from "@/components/layout/session-ended";
import { isRequestFailed } from "@/components/states/failure";
import { Toaster } from "@/components/ui/toast";

declare global {
  /** Where packages that add a style element look for the nonce that the page's policy asks for. */
  var __webpack_nonce__: string | undefined;
}

if (typeof document !== "undefined") {
  globalThis.__webpack_nonce__ = document.querySelector<HTMLElement>("script[nonce]")?.nonce;
}

/** What the pages share in the browser: the query client, the notices, and what happens when the session has ended. */
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
        // Each request of the page's own accord would be an entry in the audit log: it asks only when told to.
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
