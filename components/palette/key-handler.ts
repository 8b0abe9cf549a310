"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { keepKey, keepPasted } from "@/components/palette/early-text";
import { isPaletteAwaited, show } from "@/components/palette/opened";
import { destinations } from "@/components/palette/shortcuts";

/** The time after `g` in which a letter opens a page. */
const SEQUENCE_TIMEOUT_MS = 5000;

/** Elements in which single keys are text or belong to an open menu or dialog. */
const OCCUPIED = "input, textarea, select, [contenteditable], dialog, [role=menu], [role=listbox]";

/** Handles the keyboard shortcuts that work on every page. */
export function useShortcutKeys(): void {
  const router = useRouter();
  useEffect(() => {
    let goneAt = Number.NEGATIVE_INFINITY;
    const onKey = (event: KeyboardEvent) => {
      if (event.isComposing) return;
      if (event.key.toLowerCase() === "k" && (event.metaKey || event.ctrlKey) && !event.altKey && !event.shiftKey) {
        event.preventDefault();
        if (document.querySelector("dialog:modal") === null) show("palette");
        return;
      }
      if (event.metaKey || event.ctrlKey || event.altKey) return;
      if (isPaletteAwaited()) return keepKey(event);
      if (event.target instanceof Element && event.target.closest(OCCUPIED) !== null) return;
      const isAfterG = event.timeStamp - goneAt < SEQUENCE_TIMEOUT_MS;
      goneAt = Number.NEGATIVE_INFINITY;
      const { key } = event;
      if (isAfterG) {
        const destination = destinations.find(({ letter }) => letter === key);
        if (destination === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        router.push(destination.href);
      } else if (key === "g") {
        goneAt = event.timeStamp;
      } else if (key === "?") {
        event.preventDefault();
        show("keys");
      } else if (
        key === "j" &&
        (event.target === document.body || event.target === document.getElementById("content"))
      ) {
        const row = document.querySelector<HTMLElement>("#content a[data-row]");
        if (row === null) return;
        event.preventDefault();
        row.focus();
      }
    };
    const onPaste = (event: ClipboardEvent) => {
      if (isPaletteAwaited()) keepPasted(event);
    };
    // In the capture phase, before other handlers: in a list `k` means the previous row, but not after `g`.
    document.addEventListener("keydown", onKey, true);
    document.addEventListener("paste", onPaste, true);
    return () => {
      document.removeEventListener("keydown", onKey, true);
      document.removeEventListener("paste", onPaste, true);
    };
  }, [router]);
}
