import { type AuditRow, auditEvent } from "@/lib/audit-logs/audit-event-draft";
import { isSigned } from "@/lib/certificates/calendars/calendar";
import type * as contract from "@/lib/certificates/calendars/calendar-contract";
import { type CalendarEvent, toIcal } from "@/lib/certificates/calendars/ical";
import { ALSO_SERVED } from "@/lib/certificates/inventory/also-served";
import { DUE_SHARE } from "@/lib/certificates/renewal-due";
import { config } from "@/lib/config";
import { db, pool } from "@/lib/db/app";
import type { CertificateCalendar } from "@/lib/db/generated/app/client";
import type { Input, Output } from "@/lib/http/endpoint";
import { notFound } from "@/lib/http/errors";
import type { Principal } from "@/lib/http/principal";
import { auditRetentionDays } from "@/lib/plans";

const MAX_EVENTS = 5000;
/** Maximum number of hosts, and of owners, named per event. */
const MAX_HOSTS = 20;

/** The caller of an event without a credential. */
const ANONYMOUS = {
  ...{ auth_type: "anonymous", api_key_id: null, api_key_name: null, api_key_hint: null },
  ...{ user_id: null, user_name: null, user_email: null },
} satisfies Partial<AuditRow>;

interface Row {
  id: string;
  common_name: string | null;
  sans: string[];
  issuer: string;
  at: Date;
  not_after: Date;
  hosts: string[];
  owners: string[];
  total: number;
}

function toEvent(row: Row, isRenewal: boolean): CalendarEvent {
  const { id, common_name, sans, issuer, at, not_after, hosts, owners, total } = row;
  const more = total > hosts.length ? `and ${total - hosts.length} more` : null;
  const lines = [
    ...["Served by:", ...hosts, more],
    owners.length > 0 ? `Renewed by: ${owners.join(", ")}` : null,
    `Issued by: ${issuer}`,
    isRenewal ? `Expires: ${not_after.toISOString().slice(0, 10)}` : null,
    new URL(`/certificates/${id}`, config().PUBLIC_URL).href,
  ];
  const name = common_name ?? sans[0] ?? id;
  return {
    uid: `${id}${isRenewal ? "-renewal" : ""}@sealwatch`,
    at,
    summary: isRenewal ? `Renew certificate: ${name}` : `Certificate expires: ${name}`,
    description: lines.filter((line) => line !== null).join("\n"),
  };
}

/** Certificates in use that expire or should be renewed, or should have been within the last month. */
async function readEvents({ organizationId, tag, owner, shows }: CertificateCalendar): Promise<CalendarEvent[]> {
  const isRenewal = shows === "renewals";
  // Authorities are not asked for the renewal window of a certificate that only scans see.
  const dueAt = `coalesce(served.due_at, c.not_after - (c.not_after - c.not_before) * ${DUE_SHARE})`;
  const at = isRenewal ? dueAt : "c.not_after";
  const { rows } = await pool().query<Row>(
    `SELECT c.id, c.common_name, c.sans, c.issuer, c.not_after, ${at} AS at, served.hosts[1:$4] AS hosts, served.owners[1:$4] AS owners,
       served.total
     FROM (
       SELECT certificate_id, array_agg(host || ':' || port ORDER BY host, port) AS hosts, count(*)::integer AS total,
         coalesce(array_agg(DISTINCT owner) FILTER (WHERE owner <> ''), '{}') AS owners, min(renewal_due_at) AS due_at
       FROM (
         SELECT certificate_id, host, port, owner, tags, renewal_due_at FROM certificate_endpoints
         WHERE organization_id = $1 AND certificate_id IS NOT NULL
         UNION ALL
         SELECT s.certificate_id, e.host, e.port, e.owner, e.tags, NULL
         FROM certificate_endpoints e ${ALSO_SERVED} WHERE e.organization_id = $1
       ) AS each
       WHERE ($2::text IS NULL OR tags @> ARRAY[$2]) AND ($3::text IS NULL OR owner = $3)
       GROUP BY certificate_id
     ) AS served
     JOIN certificates c ON c.organization_id = $1 AND c.id = served.certificate_id
     WHERE ${at} > now() - interval '30 days' ORDER BY ${at}, c.id LIMIT $5`,
    [organizationId, tag, owner, MAX_HOSTS, MAX_EVENTS],
  );
  return rows.map((row) => toEvent(row, isRenewal));
}

/**
 * Expirations or renewals for a calendar application. The signed URL is the only credential, so the calendar determines the organization of
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
  // The calendar's organization must not learn which key or person of another one has the URL.
  if (event.row.organization_id !== row.organizationId) Object.assign(event.row, ANONYMOUS);
  event.row.organization_id = row.organizationId;
  event.row.retention_days = auditRetentionDays(row.organization.plan);
  const body = toIcal(row.name, await readEvents(row), new Date());
  return new Response(body, {
    headers: {
      "Content-Type": "text/calendar; charset=utf-8",
      "Content-Disposition": 'inline; filename="certificates.ics"',
    },
  });
}
