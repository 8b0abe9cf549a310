import type pg from "pg";
import { config, requireSetting } from "@/lib/config";
import { makePool } from "@/lib/db/connections";
import { defaultPurpose, type Purpose } from "@/lib/db/purposes";
import { processSingleton } from "@/lib/process-singleton";

/**
 * The audit database's connection pool for a purpose. Jobs connect as its owner; other purposes use a role that can only INSERT and
 * SELECT, if the operator has set up both.
 */
export function auditPool(purpose: Purpose = defaultPurpose()): pg.Pool {
  return processSingleton(`db.audit.${purpose}`, () => {
    const owner = purpose === "job" ? config().AUDIT_MAINTENANCE_DATABASE_URL : undefined;
    return makePool(owner ?? requireSetting("AUDIT_DATABASE_URL"), purpose);
  });
}
