import type { Metadata } from "next";
import Link from "next/link";
import { type SearchParams, single } from "@/components/layout/search-params";
import { ActiveFilters } from "@/components/security-events/active-filters";
import { SecurityEventGroups } from "@/components/security-events/groups";
import { RowsSkeleton, Section } from "@/components/states/section";
import { readRange } from "@/components/statistics/range";
import { RangeLinks } from "@/components/statistics/range-links";
import { Note } from "@/components/ui/note";
import { PageHeader } from "@/components/ui/page-header";
import { filters } from "@/lib/audit-logs/filters";
import { requirePrincipal } from "@/lib/auth/session";
import { issuesOf } from "@/lib/http/input";

export const metadata: Metadata = { title: "Security events" };

export default async function SecurityEventsPage({ searchParams }: { searchParams: SearchParams }) {
  const principal = await requirePrincipal();
  const params = await single(searchParams);
  const range = readRange(params, Date.now(), "7d");
  const { range: _range, since: _since, until: _until, ...asked } = params;
  const parsed = filters.safeParse(asked);
  return (
    <>
      <PageHeader
        title="Security events"
        actions={<RangeLinks path="/security-events" params={asked} chosen={range.preset} />}
      >
        Refused requests, first uses and changes, grouped by type and source.
      </PageHeader>
      <ActiveFilters params={params} names={Object.keys(asked)} />
      {parsed.success ? (
        <Section
          key={JSON.stringify(params)}
          what="The security events"
          fallback={<RowsSkeleton what="security events" rows={16} />}
        >
          <SecurityEventGroups
            principal={principal}
            asked={asked}
            filters={{ ...parsed.data, since: range.since, until: range.until }}
          />
        </Section>
      ) : (
        <div className="px-4 sm:px-5">
          <Note tone="bad" alert>
            <p>This view cannot be shown:</p>
            <ul>
              {issuesOf(parsed.error).map(({ path, message }) => (
                <li key={`${path} ${message}`}>
                  <span className="font-mono text-sm">{path}</span> {message}.
                </li>
              ))}
            </ul>
            <Link href="/security-events" className="font-medium underline">
              Show all security events
            </Link>
          </Note>
        </div>
      )}
    </>
  );
}
