import type pg from "pg";
import { requireSetting } from "@/lib/config";
import { makePool } from "@/lib/db/connections";
import { PrismaClient } from "@/lib/db/generated/app/client";
import { PrismaPgWithBytes } from "@/lib/db/large-parameters";
import { defaultPurpose, type Purpose } from "@/lib/db/purposes";
import { processSingleton } from "@/lib/process-singleton";

/** The monitoring database's connection pool for a purpose. Prisma uses the pool of the process's default purpose. */
export function pool(purpose: Purpose = defaultPurpose()): pg.Pool {
  return processSingleton(`db.app.${purpose}`, () => makePool(requireSetting("DATABASE_URL"), purpose));
}

/** Prisma with the connections of `pool()`. */
export function db(): PrismaClient {
  return processSingleton("db.app.prisma", () => new PrismaClient({ adapter: new PrismaPgWithBytes(pool()) }));
}

/** Prisma bound to one transaction, as passed to the work of `auditedTransaction`. */
export type Transaction = Parameters<Parameters<PrismaClient["$transaction"]>[0]>[0];
