"use client";

import { type ComponentProps, useEffect, useRef } from "react";
import { Input } from "@/components/ui/field";

/** A text filter of a list. Shows the value in the URL when that changes; otherwise it keeps what is typed, and the focus. */
export function UrlInput({
  value = "",
  ...rest
}: Omit<ComponentProps<typeof Input>, "value" | "defaultValue"> & { value: string | undefined }) {
  const place = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (place.current !== null) place.current.value = value;
  }, [value]);
  return <Input {...rest} ref={place} defaultValue={value} />;
}
