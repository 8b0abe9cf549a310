import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { config, configure } from "@/lib/config";
import { isRunning, readPostmaster } from "@/server/embedded/postgres-process";
import { embeddedUrls } from "@/server/embedded/roles";

/**
 * Adds the URLs of a running embedded PostgreSQL to the configuration. Starts and creates nothing. Returns why there are no URLs;
 * null if there are.
 */
export function findDatabaseUrls(): string | null {
  const { DATA_DIR, DATABASE_URL, AUDIT_DATABASE_URL } = config();
  if (DATABASE_URL || AUDIT_DATABASE_URL) return null;
  const secrets = join(DATA_DIR, "secrets.json");
  const data = join(DATA_DIR, "postgres", "data");
  if (!existsSync(secrets)) return `Sealwatch was never started with DATA_DIR ${DATA_DIR}`;
  const postmaster = readPostmaster(data);
  if (!postmaster || !isRunning(postmaster, data)) return "the embedded PostgreSQL is not running";
  const { database_password } = JSON.parse(readFileSync(secrets, "utf8")) as { database_password: string };
  configure({ ...embeddedUrls(postmaster, database_password) });
  return null;
}
