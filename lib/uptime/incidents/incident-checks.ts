import { db } from "@/lib/db/app";
import type { Principal } from "@/lib/http/principal";
import { idAt } from "@/lib/ids";
import type { UptimeCheck } from "@/lib/uptime/checks-contract";
import type { Incident } from "@/lib/uptime/incidents/contract";
import { toUptimeCheck } from "@/lib/uptime/monitors/monitor";

const AROUND_MS = 5 * 60_000;
const MAX_ROWS = 100;

/** The checks from five minutes before to five minutes after an incident, oldest first; at most 100. */
export async function readChecksOf(
  { organizationId }: Principal,
  { monitor, started_at, ended_at }: Incident,
): Promise<UptimeCheck[]> {
  const until = ended_at === null ? Date.now() : Date.parse(ended_at);
  const rows = await db().uptimeCheck.findMany({
    where: {
      organizationId,
      monitorId: monitor.id,
      id: { gte: idAt(Date.parse(started_at) - AROUND_MS), lt: idAt(until + AROUND_MS) },
    },
    orderBy: { id: "asc" },
    take: MAX_ROWS,
  });
  return rows.map(toUptimeCheck);
}
