import type { Metadata } from "next";
import { EventsList } from "@/components/audit-logs/events-list";
import { FlagLegend } from "@/components/audit-logs/flag-legend";
import { readEvents } from "@/components/audit-logs/read-events";
import { type SearchParams, single } from "@/components/layout/search-params";
import { listApiKeys } from "@/lib/api-keys/list";
import { requirePrincipal } from "@/lib/auth/session";

export const metadata: Metadata = { title: "Security events" };

export default async function SecurityEventsPage({ searchParams }: { searchParams: SearchParams }) {
  const principal = await requirePrincipal();
  const [read, keys] = await Promise.all([
    readEvents(principal, await single(searchParams), { security_event: "true" }),
    listApiKeys(principal, { limit: 200, cursor: undefined }),
  ]);
  return (
    <>
      <EventsList
        title="Security events"
        path="/security-events"
        securityOnly
        read={read}
        keys={keys.items.map(({ id, name }) => ({ id, name }))}
      />
      {read.stats && <FlagLegend counts={read.stats.by_flag} params={read.view.params} />}
    </>
  );
}
