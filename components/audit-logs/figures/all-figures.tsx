import type { ReactNode } from "react";
import { Figures } from "@/components/audit-logs/figures/figures";
import { Histogram } from "@/components/audit-logs/figures/histogram";
import type { AuditFigures } from "@/lib/audit-logs/count/stats";

/** The histogram and the line of figures. `notice` is part of the line. */
export function AllFigures({
  stats,
  params,
  notice,
}: {
  stats: AuditFigures;
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
