import type pg from "pg";
import { requireSetting } from "@/lib/config";
import { makePool } from "@/lib/db/connections";
import { defaultPurpose, type Purpose } from "@/lib/db/purposes";
import { once } from "@/lib/once";

/** The audit database's connection pool for a purpose. */
export function auditPool(purpose: Purpose = defaultPurpose()): pg.Pool {
  return once(`db.audit.${purpose}`, () => makePool(requireSetting("AUDIT_DATABASE_URL"), purpose));
}
