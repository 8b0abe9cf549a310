import type pg from "pg";
import { pool } from "@/lib/db/app";
import { auditPool } from "@/lib/db/audit";
import { log } from "@/lib/log";

type State = "ok" | "unavailable";

async function check(name: string, database: pg.Pool): Promise<State> {
  try {
    await database.query({ text: "SELECT 1", query_timeout: 2_000 } as pg.QueryConfig);
    return "ok";
  } catch (error) {
    log.warn({ err: error, database: name }, "a database is not reachable");
    return "unavailable";
  }
}

/** Asks both databases, at most 3 s each. */
export async function readiness(): Promise<{ database: State; audit_database: State }> {
  const [database, audit_database] = await Promise.all([check("monitoring", pool()), check("audit", auditPool())]);
  return { database, audit_database };
}
