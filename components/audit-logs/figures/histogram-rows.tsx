"use client";

import { type Bin, rangeOfBars } from "@/components/audit-logs/figures/bins";
import { useExplorerView } from "@/components/audit-logs/views/explorer-view";
import { BarsTable } from "@/components/charts/bars-table";

const columns = [
  { name: "requests", label: "Entries" },
  { name: "status_2xx", label: "2xx" },
  { name: "status_3xx", label: "3xx" },
  { name: "status_4xx", label: "4xx" },
  { name: "status_5xx", label: "5xx" },
  { name: "security_events", label: "Security" },
] as const;

/** The bars as rows of a table; each row links to its time range. */
export function HistogramRows({ bars }: { bars: Bin[] }) {
  const { hrefOf } = useExplorerView();
  return (
    <BarsTable
      caption="Entries over time by status class"
      columns={columns}
      bars={bars}
      hrefOf={(_, at) => hrefOf({ ...rangeOfBars(bars, at, at), range: null, live: null })}
    />
  );
}
