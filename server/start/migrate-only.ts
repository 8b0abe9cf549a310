import { migrateDatabases, openDatabases, warnOfAuditPrivileges } from "@/server/database/databases";

/** Applies the migrations of this release to both databases, for starts of single parts, which wait for them. Throws Refusal. */
export async function migrateOnly(): Promise<void> {
  await openDatabases();
  await migrateDatabases();
  await warnOfAuditPrivileges();
  process.stdout.write("Both databases have the migrations of this release.\n");
}
