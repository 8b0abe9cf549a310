"use client";

import { lazy, Suspense, useState } from "react";
import type { Bin } from "@/components/audit-logs/figures/bins";

const HistogramRows = lazy(async () => ({
  default: (await import("@/components/audit-logs/figures/histogram-rows")).HistogramRows,
}));

/** The bars as a table, which opens below them. */
export function HistogramTable({ bars }: { bars: Bin[] }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className="ml-auto open:basis-full" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className="ml-auto w-max cursor-pointer rounded-xs hover:text-ink">Show as table</summary>
      <Suspense>{isOpen && <HistogramRows bars={bars} />}</Suspense>
    </details>
  );
}
