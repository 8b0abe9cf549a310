"use client";

import { AppRouterContext } from "next/dist/shared/lib/app-router-context.shared-runtime";
import { type ReactNode, use, useMemo } from "react";
import { showToast } from "@/components/ui/toast";

/** Says why nothing opens without a connection. */
export function sayOffline(): void {
  showToast("You are offline. Try again when you are connected.");
}

/**
 * Gives `useRouter` a router that keeps the page while the browser is offline: Next would replace the page with the browser's error
 * page. Around all pages by Next's own context, so that no page can forget it.
 */
export function OfflineRouter({ children }: { children: ReactNode }) {
  const router = use(AppRouterContext);
  const guarded = useMemo(
    (): typeof router =>
      router && {
        ...router,
        push: (href, options) => (navigator.onLine ? router.push(href, options) : sayOffline()),
        replace: (href, options) => (navigator.onLine ? router.replace(href, options) : sayOffline()),
        refresh: () => {
          if (navigator.onLine) router.refresh();
          else window.addEventListener("online", () => router.refresh(), { once: true });
        },
      },
    [router],
  );
  return <AppRouterContext value={guarded}>{children}</AppRouterContext>;
}
