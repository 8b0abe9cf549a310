import type { Metadata } from "next";
import Link from "next/link";
import { AlertFigures } from "@/components/alerts/alert-figures";
import { AlertFilters } from "@/components/alerts/alert-filters";
import { AlertsTable } from "@/components/alerts/alerts-table";
import { type AlertsRead, MAX_SHOWN, readAlerts } from "@/components/alerts/read-alerts";
import { hrefWith } from "@/components/layout/href-with";
import { type SearchParams, single } from "@/components/layout/search-params";
import { EmptyState } from "@/components/states/empty-state";
import { LinkButton } from "@/components/ui/button";
import { Note } from "@/components/ui/note";
import { PageHeader } from "@/components/ui/page-header";
import { countOpenAlerts } from "@/lib/alerts/count-open";
import { listAlertRules } from "@/lib/alerts/rules/list";
import { requirePrincipal } from "@/lib/auth/session";

export const metadata: Metadata = { title: "Alerts" };

export default async function AlertsPage({ searchParams }: { searchParams: SearchParams }) {
  const principal = await requirePrincipal();
  const params = await single(searchParams);
  const [read, counts, { items: rules }] = await Promise.all([
    readAlerts(principal, params),
    countOpenAlerts(principal),
    listAlertRules(principal, { limit: 200, cursor: undefined }),
  ]);
  return (
    <>
      <PageHeader title="Alerts" />
      <AlertFigures counts={counts} params={params} />
      <AlertFilters params={params} rules={rules.map(({ id, name }) => ({ id, name }))} />
      {read.issues.length > 0 ? <Misfit issues={read.issues} /> : <Found read={read} params={params} />}
    </>
  );
}

function Misfit({ issues }: Pick<AlertsRead, "issues">) {
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
          Show the list without any of this
        </Link>
      </Note>
    </div>
  );
}

function Found({ read, params }: { read: AlertsRead; params: Record<string, string> }) {
  const { lasting, others, nextCursor } = read;
  const isNarrowed = Object.keys(params).length > 0;
  if (lasting === null) {
    return (
      <>
        {others.length > 0 ? (
          <AlertsTable label="Alerts" alerts={others} />
        ) : (
          <EmptyState title="None here" action={<LinkButton href="/alerts">Clear filters</LinkButton>}>
            No alert fits what this page was asked for.
          </EmptyState>
        )}
        {nextCursor !== null && (
          <p className="px-4 pt-3 sm:px-5">
            <LinkButton prefetch={false} href={hrefWith("/alerts", params, { cursor: nextCursor })}>
              Older alerts
            </LinkButton>
          </p>
        )}
      </>
    );
  }
  return (
    <>
      {lasting.length > 0 ? (
        <AlertsTable label="Alerts that are not over" alerts={lasting.slice(0, MAX_SHOWN)} />
      ) : (
        <EmptyState
          title={isNarrowed ? "None that is not over fits" : "All is well"}
          action={isNarrowed && <LinkButton href="/alerts">Clear filters</LinkButton>}
        >
          {isNarrowed
            ? "No alert of these is open, acknowledged or snoozed."
            : "Nothing meets any rule now. When something does, it stands here, and the channels are told."}
        </EmptyState>
      )}
      {lasting.length > MAX_SHOWN && (
        <p className="px-4 pt-3 text-second sm:px-5">
          Only the {MAX_SHOWN} most urgent are shown. Choose a severity or a rule to see the others.
        </p>
      )}
      {others.length > 0 && (
        <section className="pt-7">
          <div className="flex items-baseline justify-between gap-4 px-4 pb-2 sm:px-5">
            <h2 className="font-medium text-lg">Resolved last</h2>
            <LinkButton prefetch={false} href={hrefWith("/alerts", params, { status: "resolved" })}>
              All resolved
            </LinkButton>
          </div>
          <AlertsTable label="Alerts resolved last" alerts={others} />
        </section>
      )}
    </>
  );
}
