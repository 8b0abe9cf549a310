"use client";

import { X } from "lucide-react";
import { type ReactNode, useEffect, useEffectEvent, useRef } from "react";
import { useExplorerView } from "@/components/audit-logs/views/explorer-view";
import { Button } from "@/components/ui/button";
import { cx } from "@/components/ui/cx";

const FOCUSABLE = "a[href], button:not(:disabled), summary";

/** Tab goes from the last control of the sheet to the first one, and back: what the sheet covers is not reachable. */
function keepFocusIn(frame: HTMLElement, event: KeyboardEvent) {
  const controls = [...frame.querySelectorAll<HTMLElement>(FOCUSABLE)].filter((each) => each.checkVisibility());
  const [first, last] = [controls[0], controls.at(-1)];
  const at = document.activeElement;
  const isAtEdge = at === (event.shiftKey ? first : last) || at === frame || !frame.contains(at);
  if (!isAtEdge) return;
  event.preventDefault();
  (event.shiftKey ? last : first)?.focus();
}

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
    const opener = document.activeElement;
    frame.focus({ preventScroll: true });
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return;
      if (event.key === "Escape") close();
      if (event.key === "Tab") keepFocusIn(frame, event);
    };
    document.addEventListener("keydown", onKey);
    return () => {
      document.removeEventListener("keydown", onKey);
      if (opener instanceof HTMLElement) opener.focus({ preventScroll: true });
    };
  }, [isOpen]);
  if (!isOpen) return null;
  return (
    <aside
      ref={panel}
      aria-label="Facets"
      tabIndex={-1}
      aria-busy={isGoing}
      className={cx(
        // Beside an open entry, the list has no room for them as well.
        params.entry !== undefined && "xl:max-[110rem]:hidden",
        "outline-none max-xl:fixed max-xl:inset-y-0 max-xl:right-0 max-xl:z-40 max-xl:w-full max-xl:animate-appear max-xl:overflow-y-auto max-xl:overscroll-contain max-xl:border-l max-xl:bg-panel max-xl:shadow-float sm:max-xl:w-80 xl:w-60 xl:shrink-0 xl:border-r",
      )}
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
