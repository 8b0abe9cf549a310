import type { Metadata } from "next";
import Link from "next/link";
import * as z from "zod";
import { alertColumns } from "@/components/alerts/alert-columns";
import { AlertFigures } from "@/components/alerts/alert-figures";
import { AlertFilters } from "@/components/alerts/alert-filters";
import { AlertHeads } from "@/components/alerts/list/alert-row";
import { URGENCY } from "@/components/alerts/list/alert-steps";
import { AlertsList } from "@/components/alerts/list/alerts-list";
import { AlertsTable } from "@/components/alerts/list/alerts-table";
import { type AlertsRead, readAlerts } from "@/components/alerts/list/read-alerts";
import { NobodyNotified } from "@/components/alerts/nobody-notified";
import { filtersIn, hrefWith } from "@/components/layout/href-with";
import { Pages } from "@/components/layout/list-ends";
import { type SearchParams, single } from "@/components/layout/search-params";
import { EmptyPage } from "@/components/states/empty-page";
import { EmptyState } from "@/components/states/empty-state";
import { ChooseColumns } from "@/components/table/choose-columns";
import { columnsCookie } from "@/components/table/columns";
import { readColumns } from "@/components/table/read-columns";
import { withOrder } from "@/components/table/read-order";
import { sortCookie, sortingOf } from "@/components/table/sort";
import { LinkButton } from "@/components/ui/button";
import { Note } from "@/components/ui/note";
import { PageHeader } from "@/components/ui/page-header";
import { type Alert, alertSorts } from "@/lib/alerts/contract";
import { countOpenAlerts } from "@/lib/alerts/count-open";
import { countResolvedAlerts } from "@/lib/alerts/count-resolved";
import { listAlertRules } from "@/lib/alerts/rules/list";
import { requirePrincipal } from "@/lib/auth/session";
import { order } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";

export const metadata: Metadata = { title: "Alerts" };

/** The order by urgency is the page's own, and only of unresolved alerts, so people choose the orders of the two tables separately. */
const tableOf = ({ status }: Record<string, string>) => (status === undefined ? "alerts" : "alerts-by-state");
const orderQuery = z.object({ sort: z.enum([...alertSorts, URGENCY]).optional(), order });

export default async function AlertsPage({ searchParams }: { searchParams: SearchParams }) {
  const principal = await requirePrincipal();
  const asked = await single(searchParams);
  const params = await withOrder(principal, tableOf(asked), asked, orderQuery);
  const [read, counts, resolved, { items: rules }] = await Promise.all([
    readAlerts(principal, params),
    countOpenAlerts(principal),
    countResolvedAlerts(principal),
    listAlertRules(principal, { limit: 200, cursor: undefined }),
  ]);
  const columns = await readColumns(principal, "alerts", alertColumns);
  return (
    <>
      <PageHeader
        title="Alerts"
        actions={<ChooseColumns cookie={columnsCookie("alerts", principal)} columns={alertColumns} shown={columns} />}
      />
      <NobodyNotified principal={principal} />
      <AlertFigures counts={counts} resolved={resolved} params={params} />
      <AlertFilters params={params} rules={rules.map(({ id, name }) => ({ id, name }))} />
      {read.issues.length > 0 ? (
        <InvalidView issues={read.issues} />
      ) : (
        <Found read={read} params={params} columns={columns} principal={principal} />
      )}
    </>
  );
}

function InvalidView({ issues }: Pick<AlertsRead, "issues">) {
  return (
    <div className="px-4 pb-3 sm:px-5">
      <Note tone="bad" alert>
        <p>This view cannot be shown:</p>
        <ul>
          {issues.map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              <span className="font-mono text-sm">{path}</span> {message}.
            </li>
          ))}
        </ul>
        <Link href="/alerts" className="font-medium underline">
          Reset the view
        </Link>
      </Note>
    </div>
  );
}

interface FoundProps {
  read: AlertsRead;
  params: Record<string, string>;
  columns: ReadonlySet<string>;
  principal: Principal;
}

function Found({ read: { first, resolved }, params, columns, principal }: FoundProps) {
  const isNarrowed = Object.keys(filtersIn(params)).length > 0;
  const isUnresolved = params.status === undefined;
  const id = `${principal.organizationId} ${new URLSearchParams(params)}`;
  const mayAct = principal.permission === "admin" && params.status !== "resolved";
  const usual = isUnresolved ? URGENCY : "newest";
  const others = resolved.length > 0 && <Resolved alerts={resolved} params={params} columns={columns} />;
  // Without a status, the cursor is not read.
  if (first.items.length === 0 && !isUnresolved && params.cursor !== undefined) {
    return (
      <>
        <EmptyPage />
        <Pages path="/alerts" params={params} next={null} />
      </>
    );
  }
  if (first.items.length === 0) {
    return (
      <>
        <EmptyState
          title={isNarrowed ? "No alerts found" : "No unresolved alerts"}
          action={isNarrowed && <LinkButton href="/alerts">Clear filters</LinkButton>}
        >
          {!isNarrowed
            ? "New alerts appear here. One that somebody resolved opens again only if its cause returns or gets worse."
            : isUnresolved
              ? "No unresolved alert matches the filters."
              : "No alert matches the filters."}
        </EmptyState>
        {others}
      </>
    );
  }
  return (
    <>
      <AlertsList
        key={id}
        id={id}
        label={isUnresolved ? "Unresolved alerts" : "Alerts"}
        head={
          <AlertHeads
            selectable={mayAct}
            sorting={sortingOf("/alerts", params, usual, sortCookie(tableOf(params), principal))}
            hasUrgency={isUnresolved}
            columns={columns}
          />
        }
        first={first}
        params={params}
        mayAct={mayAct}
        columns={columns}
      >
        {others}
      </AlertsList>
      <Pages path="/alerts" params={params} next={null} />
    </>
  );
}

function Resolved({
  alerts,
  params,
  columns,
}: {
  alerts: readonly Alert[];
  params: Record<string, string>;
  columns: ReadonlySet<string>;
}) {
  return (
    <section className="pt-7">
      <div className="flex items-baseline justify-between gap-4 px-4 pb-2 sm:px-5">
        <h2 className="font-medium text-lg">Recently resolved</h2>
        <LinkButton prefetch={false} href={hrefWith("/alerts", params, { status: "resolved" })}>
          View all resolved
        </LinkButton>
      </div>
      <AlertsTable label="Recently resolved alerts" alerts={alerts} areOver columns={columns} />
    </section>
  );
}
