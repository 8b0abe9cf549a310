"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { useLayoutEffect } from "react";
import { isSwitched, noteSelected } from "@/components/requests/selected-organization";

/**
 * Loads the whole page again when it opens after another tab switched the organization: its parts are of the new one, and the frame around
 * them, in whose organization requests act, would be of the previous one. `cookie` is the name of the cookie that stores the choice,
 * `organizationId` the organization of the frame.
 */
export function ReloadWhenSwitched({ cookie, organizationId }: { cookie: string; organizationId: string }) {
  const address = `${usePathname()}?${useSearchParams()}`;
  useLayoutEffect(() => {
    if (!address) return;
    noteSelected(cookie, organizationId);
    if (isSwitched()) window.location.reload();
  }, [address, cookie, organizationId]);
  return null;
}
