import { pool } from "@/lib/db/app";
import { notFound } from "@/lib/http/errors";
import { type NotificationDelivery, SHOWN_ALERTS } from "@/lib/notification-channels/contract";

/** Which deliveries to read; ids ascend with time. */
interface Wanted {
  id?: string | undefined;
  before?: string | undefined;
  since?: string | undefined;
  channelId?: string | undefined;
  status?: string | undefined;
  alertId?: string | undefined;
}

/** Each as a condition on the delivery `d` and a parameter. */
const CONDITIONS: Record<keyof Wanted, (value: string) => string> = {
  id: (value) => `d.id = ${value}`,
  before: (value) => `d.id < ${value}`,
  since: (value) => `d.id >= ${value}`,
  channelId: (value) => `d.channel_id = ${value}`,
  status: (value) => `d.status = ${value}`,
  alertId: (value) => `${value}::uuid = ANY (d.alert_ids)`,
};

type Row = Omit<NotificationDelivery, "next_attempt_at" | "created_at" | "finished_at"> & {
  next_attempt_at: Date | null;
  created_at: Date;
  finished_at: Date | null;
};

/** Deliveries of the organization as the contract shows them, newest first. A message may be about very many alerts: the first are read. */
export async function readDeliveries(
  organizationId: string,
  wanted: Wanted,
  limit: number,
): Promise<NotificationDelivery[]> {
  const given = Object.entries(wanted).flatMap(([name, value]) =>
    value === undefined ? [] : [{ condition: CONDITIONS[name as keyof Wanted], value }],
  );
  const conditions = given.map(({ condition }, at) => `AND ${condition(`$${at + 3}`)}`).join(" ");
  const { rows } = await pool().query<Row>(
    `SELECT d.id, jsonb_build_object('id', c.id, 'name', c.name, 'type', c.type) AS channel, d.message->>'kind' AS kind,
       d.message->>'title' AS title, d.alert_ids[1:${SHOWN_ALERTS}] AS alert_ids, cardinality(d.alert_ids) AS alert_count, d.status, d.attempts,
       CASE WHEN d.status = 'pending' THEN d.next_attempt_at END AS next_attempt_at, d.last_error AS error, d.created_at, d.finished_at
     FROM notification_deliveries d JOIN notification_channels c ON c.organization_id = d.organization_id AND c.id = d.channel_id
     WHERE d.organization_id = $1 ${conditions} ORDER BY d.id DESC LIMIT $2`,
    [organizationId, limit, ...given.map(({ value }) => value)],
  );
  return rows.map((row) => ({
    ...row,
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
  }));
}

/** One delivery of the organization. Throws 404. */
export async function readDelivery(organizationId: string, id: string): Promise<NotificationDelivery> {
  const [delivery] = await readDeliveries(organizationId, { id }, 1);
  if (delivery === undefined) throw notFound();
  return delivery;
}
