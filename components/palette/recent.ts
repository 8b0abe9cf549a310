"use client";

import { usePathname } from "next/navigation";
import { useEffect } from "react";

const MAX_KEPT = 6;

interface Visit {
  href: string;
  title: string;
}

function nameOf(organizationId: string): string {
  return `sealwatch.recent.${organizationId}`;
}

/** Detail pages recently visited in this browser, newest first. */
export function recentVisits(organizationId: string): Visit[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(nameOf(organizationId)) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isVisit) : [];
  } catch {
    return [];
  }
}

function isVisit(value: unknown): value is Visit {
  const { href, title } = (value ?? {}) as Partial<Record<keyof Visit, unknown>>;
  return typeof href === "string" && href.startsWith("/") && typeof title === "string";
}

/** Deletes the visits at sign-out, so that the next user of the browser sees no names. */
export function deleteVisits(): void {
  const names = Object.keys(localStorage).filter((name) => name.startsWith(nameOf("")));
  for (const name of names) localStorage.removeItem(name);
}

/** Stores each visited detail page with its heading. Lists are left out, because the palette offers them anyway. */
export function useRememberedVisits(organizationId: string): void {
  const path = usePathname();
  useEffect(() => {
    if (!/\/[0-9a-f]{8}-[0-9a-f-]{27}$/.test(path)) return;
    const content = document.getElementById("content");
    const keep = () => {
      const title = content?.querySelector("h1")?.textContent?.trim();
      if (!title) return false;
      const others = recentVisits(organizationId).filter(({ href }) => href !== path);
      const visits = [{ href: path, title }, ...others].slice(0, MAX_KEPT);
      try {
        localStorage.setItem(nameOf(organizationId), JSON.stringify(visits));
      } catch {
        // Storage is full or blocked: nothing is stored.
      }
      return true;
    };
    if (content === null || keep()) return;
    // The heading appears when the page has loaded.
    const observer = new MutationObserver(() => keep() && observer.disconnect());
    observer.observe(content, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, [path, organizationId]);
}
