import type { Metadata } from "next";
import { EventsList } from "@/components/audit-logs/events-list";
import { knownNames, knownOfLate } from "@/components/audit-logs/known-values";
import { readEvents } from "@/components/audit-logs/read-events";
import { type SearchParams, single } from "@/components/layout/search-params";
import { requirePrincipal } from "@/lib/auth/session";

export const metadata: Metadata = { title: "Audit log" };

export default async function AuditLogPage({ searchParams }: { searchParams: SearchParams }) {
  const principal = await requirePrincipal();
  const later = knownOfLate(principal);
  const [read, names] = await Promise.all([readEvents(principal, await single(searchParams)), knownNames(principal)]);
  return <EventsList read={read} names={names} later={later} />;
}
