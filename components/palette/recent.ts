"use client";

import { usePathname } from "next/navigation";
import { useEffect } from "react";

const MAX_KEPT = 6;

export interface Visit {
  href: string;
  title: string;
}

function nameOf(organizationId: string): string {
  return `sealwatch.recent.${organizationId}`;
}

/** Pages about one thing that were visited of late in this browser, newest first. */
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

/** Whoever uses the browser next learns no names from it. */
export function forgetVisits(): void {
  const names = Object.keys(localStorage).filter((name) => name.startsWith(nameOf("")));
  for (const name of names) localStorage.removeItem(name);
}

/** Remembers each page about one thing by its heading. Lists are a letter away and are left out. */
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
        // Full or forbidden: then nothing is remembered.
      }
      return true;
    };
    if (content === null || keep()) return;
    // The heading comes when the page has been read.
    const observer = new MutationObserver(() => keep() && observer.disconnect());
    observer.observe(content, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, [path, organizationId]);
}
