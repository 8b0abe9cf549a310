import { Figures } from "@/components/audit-logs/figures/figures";
import { Histogram } from "@/components/audit-logs/figures/histogram";
import { getAuditStats } from "@/lib/audit-logs/count/stats";
import type { Filters } from "@/lib/audit-logs/filters";
import type { Principal } from "@/lib/http/principal";

/** The histogram and the figures above the list, counted with the same filters. */
export async function EventsFigures({
  principal,
  filters,
  params,
}: {
  principal: Principal;
  filters: Filters;
  params: Record<string, string>;
}) {
  const stats = await getAuditStats(principal, { interval: undefined, ...filters });
  return (
    <>
      <Histogram stats={stats} />
      <Figures stats={stats} params={params} />
    </>
  );
}
