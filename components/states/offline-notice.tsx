"use client";

import { useEffect, useSyncExternalStore } from "react";
import { sayOffline } from "@/components/states/offline-router";

function subscribe(listener: () => void) {
  window.addEventListener("online", listener);
  window.addEventListener("offline", listener);
  return () => {
    window.removeEventListener("online", listener);
    window.removeEventListener("offline", listener);
  };
}

function opensElsewhere(event: MouseEvent, { target }: HTMLAnchorElement): boolean {
  return target === "_blank" || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey;
}

/** Without a connection, says so and keeps the page: a link would replace it with the browser's error page. */
export function OfflineNotice() {
  const isOnline = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
  useEffect(() => {
    if (isOnline) return;
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
      if (!(link instanceof HTMLAnchorElement) || !link.protocol.startsWith("http") || opensElsewhere(event, link))
        return;
      if (link.getAttribute("href")?.startsWith("#")) return;
      event.preventDefault();
      event.stopPropagation();
      sayOffline();
    };
    // On the window, before the router sees the click.
    window.addEventListener("click", onClick, { capture: true });
    return () => window.removeEventListener("click", onClick, { capture: true });
  }, [isOnline]);
  if (isOnline) return null;
  return (
    <p
      role="alert"
      className="fixed bottom-4 left-4 z-50 max-w-[calc(100vw-2rem)] rounded-md bg-warn-wash px-3 py-1.5 text-warn shadow-float"
    >
      You are offline. This page stays as it is until you are connected again.
    </p>
  );
}
