import { existsSync } from "node:fs";
import { join } from "node:path";
import { config } from "@/lib/config";
import { connectClient } from "@/lib/db/connections";
import { ENCRYPTION_KEY_FILE, readEncryptionKeys, unseal } from "@/lib/encryption";
import { type Finding, failed, ok, reasonOf, skipped } from "@/server/doctor/check";
import { NO_TABLE } from "@/server/doctor/check-schema";
import { findDatabaseUrls } from "@/server/doctor/database-urls";
import { sealedTables } from "@/server/encryption/sealed-columns";

export const KEY_CHECK = "encryption key";
/** The newest rows are enough: a wrong key opens none. */
const SAMPLE = 20;
const TODO =
  "Set ENCRYPTION_KEY to the key that was used before, from your backup. If it is lost, enter the secrets again.";

/** Whether the key opens what is encrypted in the monitoring database. Creates no key. */
export async function checkEncryptionKey(): Promise<Finding[]> {
  const { ENCRYPTION_KEY, DATA_DIR } = config();
  const file = join(DATA_DIR, ENCRYPTION_KEY_FILE);
  // Invalid settings count as unset, and are reported by the check of the settings.
  if (ENCRYPTION_KEY === undefined && process.env.ENCRYPTION_KEY?.trim())
    return [skipped(KEY_CHECK, "ENCRYPTION_KEY is invalid")];
  if (ENCRYPTION_KEY === undefined && !existsSync(file))
    return [skipped(KEY_CHECK, "the first start generates one in DATA_DIR")];
  try {
    readEncryptionKeys();
  } catch (error) {
    return [failed(KEY_CHECK, `${file} cannot be used: ${reasonOf(error)}`, "Restore the file from your backup.")];
  }
  const where = ENCRYPTION_KEY === undefined ? file : "ENCRYPTION_KEY";
  if (findDatabaseUrls() !== null) return [ok(KEY_CHECK, `${where} has 32 bytes; no database to try it on`)];
  const tried = await tryKey(config().DATABASE_URL ?? "");
  if (tried === null) return [skipped(KEY_CHECK, "after the migrations")];
  const { opened, refused } = tried;
  if (refused.length > 0)
    return [failed(KEY_CHECK, `${where} does not open the secrets of ${refused.join(", ")}`, TODO)];
  return [
    ok(KEY_CHECK, opened === 0 ? `${where} has 32 bytes; nothing is encrypted yet` : `${where} opens the secrets`),
  ];
}

/** Null if the database has no tables yet. */
async function tryKey(url: string): Promise<{ opened: number; refused: string[] } | null> {
  const client = await connectClient(url, "migration");
  const refused: string[] = [];
  let opened = 0;
  try {
    await client.query("SET statement_timeout = '5s'; SET default_transaction_read_only = on");
    for (const { table, contextOf } of sealedTables) {
      const { rows } = await client.query<{ organizationId: string; id: string; secrets: Buffer }>(
        `SELECT organization_id AS "organizationId", id, secrets FROM ${table} WHERE secrets IS NOT NULL LIMIT ${SAMPLE}`,
      );
      const unreadable = rows.filter((row) => !opens(row.secrets, contextOf(row)));
      opened += rows.length - unreadable.length;
      if (unreadable.length > 0) refused.push(`${unreadable.length} of ${rows.length} ${table.replace("_", " ")}`);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== NO_TABLE) throw error;
    return null;
  } finally {
    await client.end().catch(() => {});
  }
  return { opened, refused };
}

function opens(secrets: Buffer, context: string): boolean {
  try {
    unseal(secrets, context);
    return true;
  } catch {
    return false;
  }
}
