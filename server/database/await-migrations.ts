import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { config, requireSetting } from "@/lib/config";
import { connectClient } from "@/lib/db/connections";
import { assertRestored, pendingMigrations, readMigrations } from "@/server/database/migrate";
import { Refusal } from "@/server/web/refusal";

/** How long a part waits for the migrations of its release, in milliseconds. After that, its service manager starts it again. */
const TIMEOUT_MS = 300_000;
const RETRY_MS = 1_000;
/** The table does not exist yet, or this role was not admitted yet. */
const NOT_PREPARED = ["42P01", "42501"];

async function missing(url: string, folder: string): Promise<string[]> {
  const client: pg.Client = await connectClient(url, "migration");
  try {
    await assertRestored(client);
    const { rows } = await client.query<{ migration_name: string; checksum: string; finished_at: Date | null }>(
      "SELECT migration_name, checksum, finished_at FROM _prisma_migrations WHERE rolled_back_at IS NULL AND finished_at IS NOT NULL",
    );
    return pendingMigrations(readMigrations(folder), rows).map(({ name }) => name);
  } catch (error) {
    if (!NOT_PREPARED.includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    return readMigrations(folder).map(({ name }) => name);
  } finally {
    await client.end().catch(() => {});
  }
}

/**
 * Waits until both databases have the migrations of this release, for parts that do not migrate: their roles may lack the privileges.
 * Throws Refusal.
 */
export async function awaitMigrations(signal: AbortSignal): Promise<void> {
  const databases = [
    [requireSetting("DATABASE_URL"), "prisma/app/migrations"],
    [config().AUDIT_MAINTENANCE_DATABASE_URL ?? requireSetting("AUDIT_DATABASE_URL"), "prisma/audit/migrations"],
  ] as const;
  const giveUp = Date.now() + TIMEOUT_MS;
  for (let attempt = 0; !signal.aborted; attempt++) {
    const pending = (await Promise.all(databases.map(([url, folder]) => missing(url, folder)))).flat();
    const [first] = pending;
    if (first === undefined) return;
    const what = `${pending.length} migrations of this release are missing in the databases (${first})`;
    if (Date.now() > giveUp) throw new Refusal(`${what}. Run \`npm start -- --migrate-only\` once, then start again.`);
    if (attempt === 0) console.error(`${what}; waiting for \`npm start -- --migrate-only\`…`);
    await delay(RETRY_MS, undefined, { signal }).catch(() => {});
  }
}
