import type * as contract from "@/lib/destinations/contract";
import type { DestinationActivity } from "@/lib/destinations/contract";
import { readDestinationRow } from "@/lib/destinations/destination";
import type { Input, Output } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";
import { HOUR_MS } from "@/lib/time/units";

const SHOWN_HOURS = 24;

/** What was sent within the last 24 hours, and the last failures. Throws 404. */
export async function getDestinationActivity(
  { organizationId }: Principal,
  { id }: Input<typeof contract.getDestinationActivity>,
): Promise<Output<typeof contract.getDestinationActivity>> {
  const row = await readDestinationRow(organizationId, id);
  const sent = row.sentByHour as Record<string, number>;
  const present = Math.floor(Date.now() / HOUR_MS);
  const hours = Array.from({ length: SHOWN_HOURS }, (_, at) => present - SHOWN_HOURS + 1 + at);
  return {
    hours: hours.map((hour) => ({ from: new Date(hour * HOUR_MS).toISOString(), sent_events: sent[hour] ?? 0 })),
    errors: row.recentErrors as DestinationActivity["errors"],
  };
}
