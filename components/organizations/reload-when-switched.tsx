"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { useLayoutEffect, useRef } from "react";

function cookiePair(cookie: string): string {
  return document.cookie.split("; ").find((each) => each.startsWith(`${cookie}=`)) ?? "";
}

/**
 * Loads the whole page again when it opens after another tab switched the organization: its parts are of the new one, and the frame around
 * them, in whose organization requests act, would be of the previous one. `cookie` is the name of the cookie that stores the choice.
 */
export function ReloadWhenSwitched({ cookie }: { cookie: string }) {
  const address = `${usePathname()}?${useSearchParams()}`;
  const before = useRef<string | null>(null);
  useLayoutEffect(() => {
    const now = address && cookiePair(cookie);
    if (before.current !== null && before.current !== now) window.location.reload();
    before.current = now;
  }, [address, cookie]);
  return null;
}
