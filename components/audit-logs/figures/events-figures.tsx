import { AllFigures } from "@/components/audit-logs/figures/all-figures";
import { HiddenReads } from "@/components/audit-logs/figures/hidden-reads";
import { LiveFigures } from "@/components/audit-logs/figures/live-figures";
import type { View } from "@/components/audit-logs/views/view";
import { only } from "@/lib/audit-logs/caller";
import { countEvents } from "@/lib/audit-logs/count/stats";
import { figuresInDetail } from "@/lib/audit-logs/count/stats-in-detail";
import type { Filters } from "@/lib/audit-logs/filters";
import { scopeOf } from "@/lib/audit-logs/scope/scope";
import type { Principal } from "@/lib/http/principal";

/** The histogram and the figures above the list, counted with the same filters. */
export async function EventsFigures({
  principal,
  filters,
  view: { params, hidesReads },
}: {
  principal: Principal;
  filters: Filters;
  view: View;
}) {
  const scope = await scopeOf(principal.organizationId);
  const [stats, reads] = await Promise.all([
    figuresInDetail(scope, filters),
    hidesReads ? countEvents(scope, { ...filters, via: only("dashboard_read") }) : null,
  ]);
  const notice = <HiddenReads hidden={reads} params={params} />;
  return (
    <LiveFigures until={stats.until} params={params} notice={notice}>
      <AllFigures stats={stats} params={params} notice={notice} />
    </LiveFigures>
  );
}
