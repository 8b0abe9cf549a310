import { db } from "@/lib/db/app";
import type { UptimeIncident as Row } from "@/lib/db/generated/app/client";
import { notFound } from "@/lib/http/errors";
import type { Evidence } from "@/lib/uptime/evidence";
import type { Incident, IncidentDetail } from "@/lib/uptime/incidents/contract";

type IncidentRow = Row & { monitor: { id: string; name: string } };

/** The relations of an incident's shape, for Prisma. */
export const incidentRelations = { monitor: { select: { id: true, name: true } } } as const;

/** An incident as the contract shows it. */
export function toIncident(row: IncidentRow): Incident {
  const until = row.endedAt?.getTime() ?? Date.now();
  return {
    id: row.id,
    monitor: row.monitor,
    started_at: row.startedAt.toISOString(),
    ended_at: row.endedAt?.toISOString() ?? null,
    duration_seconds: Math.max(0, Math.round((until - row.startedAt.getTime()) / 1000)),
    reason: row.reason as Incident["reason"],
    detail: row.detail,
    note: row.note,
  };
}

/** One incident of the organization, with its evidence. Throws 404. */
export async function readIncident(organizationId: string, id: string): Promise<IncidentDetail> {
  const where = { organizationId_id: { organizationId, id } };
  const row = await db().uptimeIncident.findUnique({
    where,
    include: { ...incidentRelations, evidence: true },
  });
  if (row === null) throw notFound();
  return { ...toIncident(row), evidence: row.evidence === null ? null : (row.evidence.content as Evidence) };
}
