import type pg from "pg";
import { config, requireSetting } from "@/lib/config";
import { makePool } from "@/lib/db/app";
import { once } from "@/lib/once";

/** The connection pool of the audit database. */
export function auditPool(): pg.Pool {
  return once("db.audit.pool", () => makePool(requireSetting("AUDIT_DATABASE_URL"), config().DATABASE_POOL_SIZE));
}
