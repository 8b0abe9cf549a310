import { auditEvent } from "@/lib/audit-logs/audit-event-draft";
import { isSigned } from "@/lib/certificates/calendars/calendar";
import type * as contract from "@/lib/certificates/calendars/calendar-contract";
import { type CalendarEvent, toIcal } from "@/lib/certificates/calendars/ical";
import { config } from "@/lib/config";
import { db, pool } from "@/lib/db/app";
import type { Input, Output } from "@/lib/http/endpoint";
import { notFound } from "@/lib/http/errors";
import type { Principal } from "@/lib/http/principal";
import { auditRetentionDays } from "@/lib/plans";

const MAX_EVENTS = 5000;
/** The most hosts named per event. */
const MAX_HOSTS = 20;

interface Row {
  id: string;
  common_name: string | null;
  sans: string[];
  issuer: string;
  not_after: Date;
  hosts: string[];
  total: number;
}

function toEvent({ id, common_name, sans, issuer, not_after, hosts, total }: Row): CalendarEvent {
  const more = total > hosts.length ? `\nand ${total - hosts.length} more` : "";
  return {
    uid: `${id}@sealwatch`,
    at: not_after,
    summary: `Certificate expires: ${common_name ?? sans[0] ?? id}`,
    description: `Served by:\n${hosts.join("\n")}${more}\nIssued by: ${issuer}\n${new URL(`/certificates/${id}`, config().PUBLIC_URL)}`,
  };
}

/** Certificates in use that expire, or expired within the last month. */
async function readEvents(organizationId: string, tag: string | null): Promise<CalendarEvent[]> {
  const { rows } = await pool().query<Row>(
    `SELECT c.id, c.common_name, c.sans, c.issuer, c.not_after, served.hosts[1:$3] AS hosts, served.total
     FROM (
       SELECT certificate_id, array_agg(host || ':' || port ORDER BY host, port) AS hosts, count(*)::integer AS total
       FROM certificate_endpoints
       WHERE organization_id = $1 AND certificate_id IS NOT NULL AND ($2::text IS NULL OR tags @> ARRAY[$2])
       GROUP BY certificate_id
     ) AS served
     JOIN certificates c ON c.organization_id = $1 AND c.id = served.certificate_id
     WHERE c.not_after > now() - interval '30 days' ORDER BY c.not_after, c.id LIMIT $4`,
    [organizationId, tag, MAX_HOSTS, MAX_EVENTS],
  );
  return rows.map(toEvent);
}

/**
 * Expirations for a calendar application. The signed URL is the only credential, so the calendar determines the organization of
 * the request and its event. Throws 404 for an invalid signature or a revoked URL.
 */
export async function readCalendarFeed(
  _anyone: Principal,
  { id, signature }: Input<typeof contract.readCalendarFeed>,
): Promise<Output<typeof contract.readCalendarFeed>> {
  if (!isSigned(id, signature)) throw notFound();
  const row = await db().certificateCalendar.findUnique({ where: { id }, include: { organization: true } });
  if (row === null) throw notFound();
  const event = auditEvent();
  event.row.organization_id = row.organizationId;
  event.row.retention_days = auditRetentionDays(row.organization.plan);
  const body = toIcal(row.name, await readEvents(row.organizationId, row.tag), new Date());
  return new Response(body, {
    headers: {
      "Content-Type": "text/calendar; charset=utf-8",
      "Content-Disposition": 'inline; filename="certificates.ics"',
    },
  });
}
