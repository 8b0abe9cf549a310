"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { useLayoutEffect } from "react";
import { isSwitched, noteSelected } from "@/components/requests/selected-organization";

/**
 * Loads the whole page again when it opens after another tab switched the organization: its parts are of the new one, and the frame around
 * them, in whose organization requests act, would be of the previous one. `cookie` is the name of the cookie that stores the choice.
 */
export function ReloadWhenSwitched({ cookie }: { cookie: string }) {
  const address = `${usePathname()}?${useSearchParams()}`;
  useLayoutEffect(() => {
    if (!address) return;
    noteSelected(cookie);
    if (isSwitched()) window.location.reload();
  }, [address, cookie]);
  return null;
}
