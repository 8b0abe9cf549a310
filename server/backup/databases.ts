import { config, requireSetting } from "@/lib/config";
import type { DatabaseName } from "@/server/backup/manifest";

/** The URL of a database for the role that owns its tables. */
export function databaseUrl(database: DatabaseName): string {
  if (database === "monitoring") return requireSetting("DATABASE_URL");
  return config().AUDIT_MAINTENANCE_DATABASE_URL ?? requireSetting("AUDIT_DATABASE_URL");
}

/** Where the migrations of a database are. */
export const migrationsFolder = (database: DatabaseName) =>
  `prisma/${database === "monitoring" ? "app" : "audit"}/migrations`;
