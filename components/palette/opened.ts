"use client";

import { useSyncExternalStore } from "react";

/** What is open over the page: the palette or the list of shortcuts. */
export type Opened = "palette" | "keys" | null;

let opened: Opened = null;
const listeners = new Set<() => void>();

/** Opens the palette or the list of shortcuts; null closes them. Works anywhere below the layout. */
export function show(next: Opened): void {
  opened = next;
  for (const listener of listeners) listener();
}

/** Whether the palette is to open and has not appeared yet: its code is loaded when it is first asked for. */
export function isPaletteAwaited(): boolean {
  return opened === "palette" && document.querySelector("dialog:modal") === null;
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useOpened(): Opened {
  return useSyncExternalStore(
    subscribe,
    () => opened,
    () => null,
  );
}
