import type pg from "pg";
import { config, requireSetting } from "@/lib/config";
import { makePool } from "@/lib/db/connections";
import { defaultPurpose, type Purpose } from "@/lib/db/purposes";
import { processSingleton } from "@/lib/process-singleton";

/**
 * The audit database's connection pool for a purpose. Jobs connect as its owner; everything else as a role that can only INSERT and
 * SELECT, where the operator set both up.
 */
export function auditPool(purpose: Purpose = defaultPurpose()): pg.Pool {
  return processSingleton(`db.audit.${purpose}`, () => {
    const owner = purpose === "job" ? config().AUDIT_MAINTENANCE_DATABASE_URL : undefined;
    return makePool(owner ?? requireSetting("AUDIT_DATABASE_URL"), purpose);
  });
}
