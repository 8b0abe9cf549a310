"use client";

import { lazy, type ReactNode, Suspense } from "react";
import { useLiveState } from "@/components/audit-logs/events/live-state";

// Most visits are not live, so no page loads these before they are needed.
const AllFigures = lazy(async () => ({
  default: (await import("@/components/audit-logs/figures/all-figures")).AllFigures,
}));

/** The figures that the server rendered, counted until `until`, or newer ones of a live list. */
export function LiveFigures({
  until,
  params,
  notice,
  children,
}: {
  until: string;
  params: Record<string, string>;
  notice: ReactNode;
  children: ReactNode;
}) {
  const { stats } = useLiveState();
  if (stats === null || stats.until <= until) return children;
  return (
    <Suspense fallback={children}>
      <AllFigures stats={stats} params={params} notice={notice} />
    </Suspense>
  );
}
