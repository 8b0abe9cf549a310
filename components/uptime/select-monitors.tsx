"use client";

import { lazy, type ReactNode, Suspense } from "react";
import { Selectable } from "@/components/table/selection";

const MonitorBar = lazy(async () => ({ default: (await import("@/components/uptime/monitor-bar")).MonitorBar }));

/** Lets people select monitors in the table in it, and act on them. */
export function SelectMonitors({ ids, children }: { ids: readonly string[]; children: ReactNode }) {
  const bar = (
    <Suspense>
      <MonitorBar />
    </Suspense>
  );
  return (
    <Selectable ids={ids} noun="monitor" bar={bar}>
      {children}
    </Selectable>
  );
}
