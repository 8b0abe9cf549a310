import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { config, requireSetting } from "@/lib/config";
import { PrismaClient } from "@/lib/db/generated/app/client";
import { log } from "@/lib/log";
import { once } from "@/lib/once";

/** Without it nothing can be done: a rush, or a machine that stands still for a moment, queues rather than fails. */
const PATIENCE_MS = 10_000;
/** Or else the first requests after a quiet moment would all wait for new connections. */
const IDLE_MS = 60_000;

/** The connection pool of the monitoring database, shared by Prisma and the few hot statements written by hand. */
export function pool(): pg.Pool {
  return once("db.app.pool", () => {
    return makePool(requireSetting("DATABASE_URL"), config().DATABASE_POOL_SIZE, PATIENCE_MS);
  });
}

/** Prisma over `pool()`. */
export function db(): PrismaClient {
  return once("db.app.prisma", () => new PrismaClient({ adapter: new PrismaPg(pool()) }));
}

/** What a verb gets inside `change()`: Prisma bound to one transaction. */
export type Transaction = Parameters<Parameters<PrismaClient["$transaction"]>[0]>[0];

/**
 * A pool whose idle connections may break without taking the process along. Who gets no connection, one of the pool's or a
 * new one, within `patienceMs` is told that the database cannot be used.
 */
export function makePool(url: string, size: number, patienceMs: number): pg.Pool {
  const made = new pg.Pool({
    connectionString: url,
    max: size,
    connectionTimeoutMillis: patienceMs,
    idleTimeoutMillis: IDLE_MS,
    keepAlive: true,
    application_name: "sealwatch",
  });
  made.on("error", (error) => log.warn({ err: error }, "a database connection was lost"));
  return made;
}
