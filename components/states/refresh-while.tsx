"use client";

import { useRouter } from "next/navigation";
import { useEffect, useEffectEvent, useTransition } from "react";

const EVERY_MS = 3_000;

/** Whether the server answers. Next replaces a page whose refresh fails with the browser's error page. */
async function isReachable(): Promise<boolean> {
  try {
    return (await fetch("/healthz", { signal: AbortSignal.timeout(EVERY_MS) })).ok;
  } catch {
    return false;
  }
}

function isDisturbing(): boolean {
  return document.visibilityState !== "visible" || document.querySelector("dialog:modal") !== null;
}

/** Refreshes the page at intervals while `active`, but not while the server is out of reach or a dialog is open. */
export function RefreshWhile({ active }: { active: boolean }) {
  const router = useRouter();
  const [isRefreshing, startTransition] = useTransition();
  const refresh = useEffectEvent(async () => {
    if (isRefreshing || isDisturbing() || !(await isReachable()) || isDisturbing()) return;
    startTransition(() => router.refresh());
  });
  useEffect(() => {
    if (!active) return;
    const timer = setInterval(() => void refresh(), EVERY_MS);
    return () => clearInterval(timer);
  }, [active]);
  return null;
}
