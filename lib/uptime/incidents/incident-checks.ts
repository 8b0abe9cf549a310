import { db } from "@/lib/db/app";
import type { Principal } from "@/lib/http/principal";
import { idAt } from "@/lib/ids";
import type { UptimeCheck } from "@/lib/uptime/checks-contract";
import type { Incident } from "@/lib/uptime/incidents/contract";
import { toUptimeCheck } from "@/lib/uptime/monitors/monitor";

const AROUND_MS = 5 * 60_000;
/** Checks that are read from each end. */
export const END = 50;

interface IncidentChecks {
  /** Oldest first. */
  checks: UptimeCheck[];
  /** The number of checks between the first and the last ones, which are not read. */
  between: number;
}

/** The first and the last 50 checks from five minutes before to five minutes after an incident. */
export async function readChecksOf(
  { organizationId }: Pick<Principal, "organizationId">,
  { monitor, started_at, ended_at }: Pick<Incident, "monitor" | "started_at" | "ended_at">,
): Promise<IncidentChecks> {
  const until = ended_at === null ? Date.now() : Date.parse(ended_at);
  const id = { gte: idAt(Date.parse(started_at) - AROUND_MS), lt: idAt(until + AROUND_MS) };
  const where = { organizationId, monitorId: monitor.id };
  const [first, newest] = await Promise.all([
    db().uptimeCheck.findMany({ where: { ...where, id }, orderBy: { id: "asc" }, take: END }),
    db().uptimeCheck.findMany({ where: { ...where, id }, orderBy: { id: "desc" }, take: END }),
  ]);
  const end = first.at(-1);
  const last = newest.filter((check) => end === undefined || check.id > end.id).reverse();
  const isCut = end !== undefined && last.length === END;
  const between = isCut
    ? await db().uptimeCheck.count({ where: { ...where, id: { gt: end.id, lt: last[0]?.id ?? end.id } } })
    : 0;
  return { checks: [...first, ...last].map(toUptimeCheck), between };
}
