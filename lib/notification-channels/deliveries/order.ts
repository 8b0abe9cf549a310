/** Ids that are compared to find out whether two messages are about the same alert: each of one with each of the other. */
const MAX_COMPARED = 1_000;

/**
 * Whether two messages of one channel and key are sent in order, in SQL: those about the same alert. Providers that track incidents have
 * one for each key, so its messages are always in order. So are messages without alerts, and those with too many to compare.
 */
export const keepOrder = (one: string, other: string, channelType: string) =>
  `(${channelType} = 'pagerduty' OR cardinality(${one}.alert_ids)::bigint * cardinality(${other}.alert_ids) NOT BETWEEN 1 AND ${MAX_COMPARED}
    OR ${one}.alert_ids && ${other}.alert_ids)`;

/** Pending messages of a key that one is compared with. Each one beyond them waits until there are fewer. */
const MAX_COMPARED_WITH = 100;

/** The oldest pending messages of a channel and key, in SQL: columns of the deliveries `d`, read by their index alone. */
export const oldestPending = (columns: string, channelId: string, key: string) =>
  `SELECT ${columns} FROM notification_deliveries d WHERE d.status = 'pending' AND d.channel_id = ${channelId} AND d.key = ${key}
    ORDER BY d.id LIMIT ${MAX_COMPARED_WITH}`;
