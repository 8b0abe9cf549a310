import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { config, requireSetting } from "@/lib/config";
import { PrismaClient } from "@/lib/db/generated/app/client";
import { log } from "@/lib/log";
import { once } from "@/lib/once";

/** The connection pool of the monitoring database, shared by Prisma and the few hot statements written by hand. */
export function pool(): pg.Pool {
  return once("db.app.pool", () => makePool(requireSetting("DATABASE_URL"), config().DATABASE_POOL_SIZE));
}

/** Prisma over `pool()`. */
export function db(): PrismaClient {
  return once("db.app.prisma", () => new PrismaClient({ adapter: new PrismaPg(pool()) }));
}

/** What a verb gets inside `change()`: Prisma bound to one transaction. */
export type Transaction = Parameters<Parameters<PrismaClient["$transaction"]>[0]>[0];

/** A pool whose idle connections may break without taking the process along. */
export function makePool(url: string, size: number): pg.Pool {
  const made = new pg.Pool({
    connectionString: url,
    max: size,
    connectionTimeoutMillis: 3_000,
    keepAlive: true,
    application_name: "sealwatch",
  });
  made.on("error", (error) => log.warn({ err: error }, "a database connection was lost"));
  return made;
}
