import type pg from "pg";
import { config, requireSetting } from "@/lib/config";
import { makePool } from "@/lib/db/app";
import { once } from "@/lib/once";

/** Events have another way to go, so that a database which hangs is found out soon. */
const PATIENCE_MS = 5_000;

/** The connection pool of the audit database. */
export function auditPool(): pg.Pool {
  return once("db.audit.pool", () => {
    return makePool(requireSetting("AUDIT_DATABASE_URL"), config().DATABASE_POOL_SIZE, PATIENCE_MS);
  });
}
