import type { ReactNode } from "react";
import { Figures } from "@/components/audit-logs/figures/figures";
import { Histogram } from "@/components/audit-logs/figures/histogram";
import type { AuditStats } from "@/lib/audit-logs/count/stats-contract";

/** The histogram and the line of figures. `notice` is part of the line. */
export function AllFigures({
  stats,
  params,
  notice,
}: {
  stats: AuditStats;
  params: Record<string, string>;
  notice: ReactNode;
}) {
  return (
    <>
      <Histogram stats={stats} />
      <Figures stats={stats} params={params}>
        {notice}
      </Figures>
    </>
  );
}
