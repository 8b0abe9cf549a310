import type { Metadata } from "next";
import Link from "next/link";
import { alertColumns } from "@/components/alerts/alert-columns";
import { AlertFigures } from "@/components/alerts/alert-figures";
import { AlertFilters } from "@/components/alerts/alert-filters";
import { AlertsTable } from "@/components/alerts/alerts-table";
import { NobodyNotified } from "@/components/alerts/nobody-notified";
import { type AlertsRead, MAX_SHOWN, readAlerts, URGENCY } from "@/components/alerts/read-alerts";
import { SelectAlerts } from "@/components/alerts/select-alerts";
import { hrefWith } from "@/components/layout/href-with";
import { type SearchParams, single } from "@/components/layout/search-params";
import { EmptyState } from "@/components/states/empty-state";
import { ChooseColumns } from "@/components/table/choose-columns";
import { readColumns } from "@/components/table/read-columns";
import { type Sorting, sortingOf } from "@/components/table/sort";
import { LinkButton } from "@/components/ui/button";
import { Note } from "@/components/ui/note";
import { PageHeader } from "@/components/ui/page-header";
import type { Alert } from "@/lib/alerts/contract";
import { countOpenAlerts } from "@/lib/alerts/count-open";
import { countResolvedAlerts } from "@/lib/alerts/count-resolved";
import { listAlertRules } from "@/lib/alerts/rules/list";
import { requirePrincipal } from "@/lib/auth/session";

export const metadata: Metadata = { title: "Alerts" };

export default async function AlertsPage({ searchParams }: { searchParams: SearchParams }) {
  const principal = await requirePrincipal();
  const params = await single(searchParams);
  const [read, counts, resolved, { items: rules }] = await Promise.all([
    readAlerts(principal, params),
    countOpenAlerts(principal),
    countResolvedAlerts(principal),
    listAlertRules(principal, { limit: 200, cursor: undefined }),
  ]);
  const columns = await readColumns("alerts", alertColumns);
  return (
    <>
      <PageHeader title="Alerts" actions={<ChooseColumns table="alerts" columns={alertColumns} shown={columns} />} />
      <NobodyNotified principal={principal} />
      <AlertFigures counts={counts} resolved={resolved} params={params} />
      <AlertFilters params={params} rules={rules.map(({ id, name }) => ({ id, name }))} />
      {read.issues.length > 0 ? (
        <InvalidView issues={read.issues} />
      ) : (
        <Found read={read} params={params} columns={columns} mayAct={principal.permission === "admin"} />
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

/** Alerts that people with admin permission can select. */
function UnresolvedAlerts({
  label,
  alerts,
  mayAct,
  sorting,
  columns,
}: {
  label: string;
  alerts: readonly Alert[];
  mayAct: boolean;
  sorting: Sorting;
  columns: ReadonlySet<string>;
}) {
  const ids = mayAct ? alerts.map(({ id }) => id) : [];
  return (
    <SelectAlerts ids={ids}>
      <AlertsTable
        label={label}
        alerts={alerts}
        selectable={mayAct}
        sorting={sorting}
        hasUrgency={sorting.usual === URGENCY}
        columns={columns}
      />
    </SelectAlerts>
  );
}

interface FoundProps {
  read: AlertsRead;
  params: Record<string, string>;
  columns: ReadonlySet<string>;
  mayAct: boolean;
}

function Found({ read, params, columns, mayAct }: FoundProps) {
  const { lasting, others, nextCursor } = read;
  const { sort: _sort, order: _order, ...filters } = params;
  const isNarrowed = Object.keys(filters).length > 0;
  const table = { columns, sorting: sortingOf("/alerts", params, lasting === null ? "newest" : URGENCY) };
  if (lasting === null) {
    return (
      <>
        {others.length > 0 ? (
          <UnresolvedAlerts label="Alerts" alerts={others} mayAct={mayAct && params.status !== "resolved"} {...table} />
        ) : (
          <EmptyState title="No alerts found" action={<LinkButton href="/alerts">Clear filters</LinkButton>}>
            No alert matches the filters.
          </EmptyState>
        )}
        {nextCursor !== null && (
          <p className="px-4 pt-3 sm:px-5">
            <LinkButton prefetch={false} href={hrefWith("/alerts", params, { cursor: nextCursor })}>
              Next page
            </LinkButton>
          </p>
        )}
      </>
    );
  }
  return (
    <>
      {lasting.length > 0 ? (
        <UnresolvedAlerts label="Unresolved alerts" alerts={lasting.slice(0, MAX_SHOWN)} mayAct={mayAct} {...table} />
      ) : (
        <EmptyState
          title={isNarrowed ? "No alerts found" : "No unresolved alerts"}
          action={isNarrowed && <LinkButton href="/alerts">Clear filters</LinkButton>}
        >
          {isNarrowed
            ? "No unresolved alert matches the filters."
            : "No rule matches anything right now. New alerts appear here, and your channels are notified."}
        </EmptyState>
      )}
      {lasting.length > MAX_SHOWN && (
        <p className="px-4 pt-3 text-second sm:px-5">
          Only the first {MAX_SHOWN} are shown. Choose a severity or a rule to see the others.
        </p>
      )}
      {others.length > 0 && (
        <section className="pt-7">
          <div className="flex items-baseline justify-between gap-4 px-4 pb-2 sm:px-5">
            <h2 className="font-medium text-lg">Recently resolved</h2>
            <LinkButton prefetch={false} href={hrefWith("/alerts", params, { status: "resolved" })}>
              View all resolved
            </LinkButton>
          </div>
          <AlertsTable label="Recently resolved alerts" alerts={others} columns={columns} />
        </section>
      )}
    </>
  );
}
