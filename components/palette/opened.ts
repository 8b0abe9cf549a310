"use client";

import { createStore } from "@/components/requests/store";

/** What is open over the page: the palette or the list of shortcuts. */
export type Opened = "palette" | "keys" | null;

const opened = createStore<Opened>(null);

/** Opens the palette or the list of shortcuts; null closes them. Works anywhere below the layout. */
export const show = opened.set;

export const useOpened = opened.use;

/** Whether the palette is to open and has not appeared yet: its code is loaded when it is first asked for. */
export function isPaletteAwaited(): boolean {
  return opened.get() === "palette" && document.querySelector("dialog:modal") === null;
}
