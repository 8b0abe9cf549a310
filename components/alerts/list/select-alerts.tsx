"use client";

import { lazy, type ReactNode, Suspense } from "react";
import { Selectable } from "@/components/table/selection";

const AlertBar = lazy(async () => ({ default: (await import("@/components/alerts/alert-bar")).AlertBar }));

/** Lets people select unresolved alerts in the table in it, and act on them. */
export function SelectAlerts({ ids, children }: { ids: readonly string[]; children: ReactNode }) {
  const bar = (
    <Suspense>
      <AlertBar />
    </Suspense>
  );
  return (
    <Selectable ids={ids} noun="alert" bar={bar}>
      {children}
    </Selectable>
  );
}
