"use client";

import { X } from "lucide-react";
import { type ReactNode, useEffect, useEffectEvent, useRef } from "react";
import { useExplorerView } from "@/components/audit-logs/views/explorer-view";
import { Button } from "@/components/ui/button";

/** The column of facets beside the list; on narrow screens a sheet over it. It stays until it is closed. */
export function FacetsFrame({ children }: { children: ReactNode }) {
  const { params, change, isGoing } = useExplorerView();
  const panel = useRef<HTMLElement>(null);
  const isOpen = params.facets === "1";
  const close = useEffectEvent(() => change({ facets: null }));
  useEffect(() => {
    const frame = panel.current;
    const isSheet = frame !== null && getComputedStyle(frame).position === "fixed";
    if (!isOpen || !isSheet) return;
    frame.focus({ preventScroll: true });
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Escape" && !event.defaultPrevented) close();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [isOpen]);
  if (!isOpen) return null;
  return (
    <aside
      ref={panel}
      aria-label="Facets"
      tabIndex={-1}
      aria-busy={isGoing}
      className="outline-none max-xl:fixed max-xl:inset-y-0 max-xl:right-0 max-xl:z-40 max-xl:w-full max-xl:animate-appear max-xl:overflow-y-auto max-xl:overscroll-contain max-xl:border-l max-xl:bg-panel max-xl:shadow-float sm:max-xl:w-80 xl:w-60 xl:shrink-0 xl:border-r"
    >
      <header className="flex h-9 items-center justify-between pr-2 pl-4 max-xl:h-12">
        <h2 className="font-medium">Facets</h2>
        <Button kind="quiet" icon aria-label="Close the facets" title="Close" onClick={() => change({ facets: null })}>
          <X size={13} aria-hidden="true" />
        </Button>
      </header>
      {children}
    </aside>
  );
}
