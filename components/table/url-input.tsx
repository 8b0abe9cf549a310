"use client";

import { type ComponentProps, useEffect, useRef } from "react";
import { Input } from "@/components/ui/field";

/** A text filter of a list. Shows the value in the URL when that changes; otherwise it keeps what is typed, and the focus. */
export function UrlInput({
  value = "",
  ...rest
}: Omit<ComponentProps<typeof Input>, "value" | "defaultValue"> & { value: string | undefined }) {
  const place = useRef<HTMLInputElement>(null);
  const shown = useRef(value);
  useEffect(() => {
    // Not at first: something may have been typed before the page was interactive.
    if (shown.current === value) return;
    shown.current = value;
    if (place.current !== null) place.current.value = value;
  }, [value]);
  return <Input {...rest} ref={place} defaultValue={value} />;
}
