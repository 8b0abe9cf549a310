/**
 * SQL: the monitors `m` of organization $1, each with its rows `d` of daily figures from $2 on, up to $3 if `isLimited`. Monitor by monitor,
 * because the primary key begins with the monitor: a scan of the organization would also pass all hourly rows.
 */
export function dailyFigures(table: "uptime_rollups" | "uptime_latencies", isLimited: boolean): string {
  return `uptime_monitors m CROSS JOIN LATERAL (
      SELECT * FROM ${table} f WHERE f.organization_id = m.organization_id AND f.monitor_id = m.id AND f.grain = 'day'
        AND f.start >= $2 ${isLimited ? "AND f.start < $3" : ""} OFFSET 0
    ) AS d WHERE m.organization_id = $1`;
}
