import { AsyncLocalStorage } from "node:async_hooks";
import { PrismaPg } from "@prisma/adapter-pg";
import type pg from "pg";
import { requireSetting } from "@/lib/config";
import { makePool } from "@/lib/db/connections";
import { PrismaClient } from "@/lib/db/generated/app/client";
import { defaultPurpose, type Purpose } from "@/lib/db/purposes";
import { statementNames } from "@/lib/db/statement-names";
import { processSingleton } from "@/lib/process-singleton";

/** The monitoring database's connection pool for a purpose. Prisma uses the pool of the process's default purpose. */
export function pool(purpose: Purpose = defaultPurpose()): pg.Pool {
  return processSingleton(`db.app.${purpose}`, () => makePool(requireSetting("DATABASE_URL"), purpose));
}

/** The connection of a transaction; undefined before it begins and from its end on. */
interface Begun {
  connection?: pg.PoolClient | undefined;
}

/** Prisma's adapter, which tells `inTransaction` the connection of the transaction it begins, until Prisma ends it. */
class Adapter extends PrismaPg {
  override async connect(): ReturnType<PrismaPg["connect"]> {
    const adapter = await super.connect();
    const start = adapter.startTransaction.bind(adapter);
    adapter.startTransaction = async (isolationLevel) => {
      const transaction = await start(isolationLevel);
      const begun = beginning().getStore();
      if (begun === undefined) return transaction;
      begun.connection = (transaction as unknown as { client: pg.PoolClient }).client;
      const execute = transaction.executeRaw.bind(transaction);
      transaction.executeRaw = (statement) => {
        if (statement.sql === "COMMIT" || statement.sql === "ROLLBACK") begun.connection = undefined;
        return execute(statement);
      };
      return transaction;
    };
    return adapter;
  }
}

const nameOf = processSingleton("db.app.statement-names", statementNames);

/** Prisma with the connections of `pool()`. */
export function db(): PrismaClient {
  return processSingleton("db.app.prisma", () => {
    return new PrismaClient({ adapter: new Adapter(pool(), { statementNameGenerator: nameOf }) });
  });
}

/** Prisma bound to one transaction, as passed to the work of `inTransaction`. */
export type Transaction = Parameters<Parameters<PrismaClient["$transaction"]>[0]>[0];

const beginning = () => processSingleton("db.app.beginning", () => new AsyncLocalStorage<Begun>());
const transactions = () => processSingleton("db.app.transactions", () => new WeakMap<Transaction, Begun>());

/** Runs `work` in one transaction, which is rolled back if `work` throws. Limits are in milliseconds. */
export function inTransaction<Result>(
  work: (tx: Transaction) => Promise<Result>,
  limits?: { maxWait: number; timeout: number },
): Promise<Result> {
  const begun: Begun = {};
  const withConnection = (tx: Transaction) => {
    transactions().set(tx, begun);
    return work(tx);
  };
  return beginning().run(begun, () => db().$transaction(withConnection, limits));
}

/**
 * Runs a statement in a transaction by the driver: Prisma would take several times as long, and turn bytes into base64 and JSON.
 * Throws the driver's errors, and P2028 as Prisma does if the transaction has ended because its time was over.
 */
export async function queryIn<Row extends pg.QueryResultRow>(
  tx: Transaction,
  { text, values }: { text: string; values: unknown[] },
): Promise<Row[]> {
  const connection = transactions().get(tx)?.connection;
  if (connection === undefined)
    throw Object.assign(new Error("the transaction has ended, or was not begun by inTransaction"), { code: "P2028" });
  return (await connection.query<Row>({ name: nameOf({ sql: text }), text, values })).rows;
}
