import { Figures } from "@/components/audit-logs/figures/figures";
import { Histogram } from "@/components/audit-logs/figures/histogram";
import type { ListQuery } from "@/lib/audit-logs/contract";
import { getAuditStats } from "@/lib/audit-logs/count/stats";
import type { Principal } from "@/lib/http/principal";

/** The histogram and the figures above the list, counted with the same filters. */
export async function EventsFigures({
  principal,
  query: { limit: _limit, cursor: _cursor, order: _order, ...filters },
  params,
}: {
  principal: Principal;
  query: ListQuery;
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
