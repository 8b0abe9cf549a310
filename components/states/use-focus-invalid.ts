"use client";

import { type RefObject, useEffect } from "react";

/** Focuses the first invalid control of a form when a request was refused: it may be above the screen, out of sight. */
export function useFocusInvalid(form: RefObject<HTMLFormElement | null>, error: unknown): void {
  useEffect(() => {
    if (error === null || error === undefined) return;
    const control = form.current?.querySelector<HTMLElement>("[aria-invalid=true]");
    // The focus opens the suggestions of a filter box, which would cover the error.
    if (control?.role === "combobox") control.scrollIntoView({ block: "center" });
    else control?.focus();
  }, [form, error]);
}
