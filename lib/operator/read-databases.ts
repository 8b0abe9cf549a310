import type pg from "pg";
import { pool } from "@/lib/db/app";
import { auditPool } from "@/lib/db/audit";

export interface DatabaseFigures {
  name: "monitoring" | "audit";
  version: string;
  bytes: number;
  connections: number;
  maxConnections: number;
}

const FIGURES = `SELECT current_setting('server_version') AS version, pg_database_size(current_database())::float8 AS bytes,
    (SELECT numbackends FROM pg_stat_database WHERE datname = current_database()) AS connections,
    current_setting('max_connections')::integer AS "maxConnections"`;

async function figuresOf(name: DatabaseFigures["name"], database: pg.Pool): Promise<DatabaseFigures[]> {
  const { rows } = await database.query<Omit<DatabaseFigures, "name">>(FIGURES);
  return rows.map((row) => ({ name, ...row }));
}

/** Size and connections of the monitoring database. Throws its error. */
export function readMonitoringDatabase(): Promise<DatabaseFigures[]> {
  return figuresOf("monitoring", pool("report"));
}

/** Size and connections of the audit database. Throws its error. */
export function readAuditDatabase(): Promise<DatabaseFigures[]> {
  return figuresOf("audit", auditPool("report"));
}
