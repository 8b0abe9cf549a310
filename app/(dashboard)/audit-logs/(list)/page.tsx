import type { Metadata } from "next";
import { ColumnMenu } from "@/components/audit-logs/events/column-menu";
import { EventsList } from "@/components/audit-logs/events/events-list";
import { ListActions } from "@/components/audit-logs/events/list-actions";
import { filtersOf, readListRequest } from "@/components/audit-logs/events/read-events";
import { EventsFigures } from "@/components/audit-logs/figures/events-figures";
import { FilterBar } from "@/components/audit-logs/filters/filter-bar";
import { knownNames, recentValues } from "@/components/audit-logs/filters/known-values";
import { RangeMenu } from "@/components/audit-logs/filters/range-menu";
import { FacetsFrame } from "@/components/audit-logs/group/facets-frame";
import { FacetsPanel } from "@/components/audit-logs/group/facets-panel";
import { GroupMenu } from "@/components/audit-logs/group/group-menu";
import { groupedBy } from "@/components/audit-logs/group/group-words";
import { GroupsTable } from "@/components/audit-logs/group/groups-table";
import { AlertOnView } from "@/components/audit-logs/views/alert-on-view";
import { ExplorerViewProvider } from "@/components/audit-logs/views/explorer-view";
import { ViewRefused } from "@/components/audit-logs/views/view-refused";
import { ViewsMenu } from "@/components/audit-logs/views/views-menu";
import { type SearchParams, single } from "@/components/layout/search-params";
import { FiguresSkeleton } from "@/components/states/page-skeleton";
import { readOnlyReason } from "@/components/states/read-only";
import { RowsSkeleton, Section } from "@/components/states/section";
import { PageHeader } from "@/components/ui/page-header";
import { MAX_VIEWS } from "@/lib/audit-views/audit-view";
import { listAuditViews } from "@/lib/audit-views/list";
import { requirePrincipal } from "@/lib/auth/session";
import { canMail } from "@/lib/network/mail";

export const metadata: Metadata = { title: "Audit log" };

export default async function AuditLogPage({ searchParams }: { searchParams: SearchParams }) {
  const principal = await requirePrincipal();
  const later = recentValues(principal);
  const { view, query, issues } = readListRequest(await single(searchParams));
  const [names, views] = await Promise.all([
    knownNames(principal, view.params.api_key_id ?? ""),
    listAuditViews(principal, { limit: 2 * MAX_VIEWS, cursor: undefined }),
  ]);
  const shown = JSON.stringify(view.params);
  const by = groupedBy(view.params);
  return (
    <ExplorerViewProvider readOnly={readOnlyReason(principal.permission)}>
      <PageHeader
        title="Audit log"
        actions={
          <>
            <ListActions />
            <AlertOnView params={view.params} />
            {by.length === 0 && <ColumnMenu />}
            <GroupMenu />
            <ViewsMenu views={views.items} readOnly={readOnlyReason(principal.permission)} canMail={canMail()} />
            <RangeMenu />
          </>
        }
      />
      <FilterBar names={names} later={later} />
      {query === null ? (
        <ViewRefused issues={issues} />
      ) : (
        <div className="xl:flex">
          {view.params.facets === "1" && (
            <FacetsFrame>
              <Section what="The facets" of={shown} fallback={<RowsSkeleton what="facets" rows={16} />}>
                <FacetsPanel principal={principal} filters={filtersOf(query)} params={view.params} known={names} />
              </Section>
            </FacetsFrame>
          )}
          <div className="min-w-0 flex-1">
            <Section what="The figures" of={shown} fallback={<FiguresSkeleton />}>
              <EventsFigures principal={principal} filters={filtersOf(query)} view={view} />
            </Section>
            {by.length > 0 ? (
              <Section what="The groups" of={shown} fallback={<RowsSkeleton what="groups" rows={24} />}>
                <GroupsTable
                  principal={principal}
                  filters={filtersOf(query)}
                  by={by}
                  params={view.params}
                  known={names}
                />
              </Section>
            ) : (
              <Section what="The entries" of={shown} fallback={<RowsSkeleton what="entries" rows={24} />}>
                <EventsList principal={principal} view={view} query={query} />
              </Section>
            )}
          </div>
        </div>
      )}
    </ExplorerViewProvider>
  );
}
