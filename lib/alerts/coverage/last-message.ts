import type { Resource } from "@/lib/alerts/coverage/read-resource";
import { pool } from "@/lib/db/app";
import { idAt, idTime } from "@/lib/ids";
import type { NotificationDelivery } from "@/lib/notification-channels/contract";
import { readDeliveries } from "@/lib/notification-channels/deliveries/delivery";

/** Maximum number of alerts of a resource, newest first, whose messages are considered. */
const MAX_ALERTS = 50;
/** Maximum number of certificates of a domain, newest first, whose alerts are considered. */
const MAX_ISSUANCES = 200;
/** A timeline's entry and its message are written in one transaction, at most this much time apart. */
const SAME_TRANSACTION_MS = 60_000;

const SUBJECTS = {
  itself: "SELECT $2::uuid",
  issuances: `(SELECT id FROM issuances WHERE organization_id = $1 AND domain_id = $2 AND (unexpected_since IS NOT NULL OR authorized_by IS NULL)
    ORDER BY id DESC LIMIT ${MAX_ISSUANCES})`,
};

/** The last message about one of the resource's alerts; null if none was sent or it was deleted meanwhile. */
export async function lastMessage(
  organizationId: string,
  { type, id }: Pick<Resource, "type" | "id">,
): Promise<NotificationDelivery | null> {
  const { rows } = await pool().query<{ entryId: string; alertId: string }>(
    `SELECT e.id AS "entryId", e.alert_id AS "alertId"
     FROM (SELECT organization_id, id FROM alerts
       WHERE organization_id = $1 AND subject_id IN (${SUBJECTS[type === "domain" ? "issuances" : "itself"]})
       ORDER BY id DESC LIMIT ${MAX_ALERTS}) AS a
     JOIN alert_entries e ON e.organization_id = a.organization_id AND e.alert_id = a.id
     WHERE e.kind = 'told' AND e.details->'channels' <> '[]' ORDER BY e.id DESC LIMIT 1`,
    [organizationId, id],
  );
  const [entry] = rows;
  if (entry === undefined) return null;
  const at = idTime(entry.entryId);
  // Ids begin with their time, so the primary key finds the message.
  const around = { since: idAt(at - SAME_TRANSACTION_MS), before: idAt(at + SAME_TRANSACTION_MS) };
  const [message] = await readDeliveries(organizationId, { ...around, alertId: entry.alertId }, 1);
  return message ?? null;
}
