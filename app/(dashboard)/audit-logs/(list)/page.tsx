import type { Metadata } from "next";
import { EventsList } from "@/components/audit-logs/events-list";
import { readEvents } from "@/components/audit-logs/read-events";
import { type SearchParams, single } from "@/components/layout/search-params";
import { listApiKeys } from "@/lib/api-keys/list";
import { requirePrincipal } from "@/lib/auth/session";

export const metadata: Metadata = { title: "Audit log" };

export default async function AuditLogPage({ searchParams }: { searchParams: SearchParams }) {
  const principal = await requirePrincipal();
  const [read, keys] = await Promise.all([
    readEvents(principal, await single(searchParams)),
    listApiKeys(principal, { limit: 200, cursor: undefined }),
  ]);
  return (
    <EventsList
      title="Audit log"
      path="/audit-logs"
      securityOnly={false}
      read={read}
      keys={keys.items.map(({ id, name }) => ({ id, name }))}
    />
  );
}
