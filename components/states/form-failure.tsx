"use client";

import { useEffect, useRef } from "react";
import { Note } from "@/components/ui/note";

/**
 * The error above a form's buttons, for failures that belong to no field. When a request was refused, focuses the first
 * invalid control of the form: it may be above the screen, out of sight.
 */
export function FormFailure({ error, message }: { error: unknown; message: string | null }) {
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (error === null || error === undefined) return;
    const control = place.current?.closest("form")?.querySelector<HTMLElement>("[aria-invalid=true]");
    // The focus opens the suggestions of a filter box, which would cover the error.
    if (control?.role === "combobox") control.scrollIntoView({ block: "center" });
    else control?.focus();
  }, [error]);
  return (
    <>
      <span ref={place} hidden />
      {message !== null && (
        <Note tone="bad" alert>
          {message}
        </Note>
      )}
    </>
  );
}
