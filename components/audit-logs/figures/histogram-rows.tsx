"use client";

import { type Bin, rangeOfBars } from "@/components/audit-logs/figures/bins";
import { useExplorerView } from "@/components/audit-logs/views/explorer-view";
import { BarsTable } from "@/components/charts/bars-table";

const security = { name: "security", count: (bar: Bin) => bar.security_events };

/** The bars as rows of a table; each row links to its time range. */
export function HistogramRows({ bars }: { bars: Bin[] }) {
  const { hrefOf } = useExplorerView();
  return (
    <BarsTable
      bars={bars}
      more={[security]}
      hrefOf={(_, at) => hrefOf({ ...rangeOfBars(bars, at, at), range: null, live: null })}
    />
  );
}
