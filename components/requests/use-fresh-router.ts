"use client";

import { useRouter } from "next/navigation";
import { useMemo } from "react";

/** Opens pages after a change: neither the page nor those that Back leads to are shown as they were before it. */
export function useFreshRouter(): Record<"push" | "replace", (href: string) => void> {
  const router = useRouter();
  return useMemo(() => {
    const open = (how: "push" | "replace") => (href: string) => {
      router[how](href);
      router.refresh();
    };
    return { push: open("push"), replace: open("replace") };
  }, [router]);
}
