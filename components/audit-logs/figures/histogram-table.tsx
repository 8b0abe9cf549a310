"use client";

import { lazy } from "react";
import type { Bin } from "@/components/audit-logs/figures/bins";
import { ShowAsTable } from "@/components/charts/show-as-table";

const HistogramRows = lazy(async () => ({
  default: (await import("@/components/audit-logs/figures/histogram-rows")).HistogramRows,
}));

/** The bars as a table, which opens below them. */
export function HistogramTable({ bars }: { bars: Bin[] }) {
  return <ShowAsTable>{() => <HistogramRows bars={bars} />}</ShowAsTable>;
}
