import { AsyncLocalStorage } from "node:async_hooks";
import { PrismaPg } from "@prisma/adapter-pg";
import type pg from "pg";
import { requireSetting } from "@/lib/config";
import { CommitOutcomeUnknown, mayBeCommitted } from "@/lib/db/commit-outcome";
import { makePool, sendTogether } from "@/lib/db/connections";
import { PrismaClient } from "@/lib/db/generated/app/client";
import { defaultPurpose, type Purpose } from "@/lib/db/purposes";
import { statementNames } from "@/lib/db/statement-names";
import { processSingleton } from "@/lib/process-singleton";

/** The monitoring database's connection pool for a purpose. Prisma uses the pool of the process's default purpose. */
export function pool(purpose: Purpose = defaultPurpose()): pg.Pool {
  return processSingleton(`db.app.${purpose}`, () => makePool(requireSetting("DATABASE_URL"), purpose));
}

/** What Prisma's adapter needs of a connection. */
type Connection = Pick<pg.PoolClient, "query" | "on" | "removeListener" | "release">;

/** Prisma's adapter, which within `joining` takes part in a transaction that has begun already. */
class Adapter extends PrismaPg {
  override async connect(): ReturnType<PrismaPg["connect"]> {
    const adapter = await super.connect();
    const start = adapter.startTransaction;
    adapter.startTransaction = (isolationLevel) => {
      const joined = joining().getStore();
      const on = joined && Object.create(adapter, { client: { value: { connect: async () => joined } } });
      return start.call(on ?? adapter, isolationLevel);
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

const joining = () => processSingleton("db.app.joining", () => new AsyncLocalStorage<Connection>());
const transactions = () => processSingleton("db.app.transactions", () => new WeakMap<Transaction, Running>());

interface Statement {
  text: string;
  values: unknown[];
}

/** Sends a statement by the driver and resolves with its rows. */
export type Send = <Row extends pg.QueryResultRow>(statement: Statement) => Promise<Row[]>;

/** The default of Prisma's own transactions, in milliseconds. */
const TIMEOUT_MS = 5_000;

/**
 * A named statement is unknown to the server (26000), a migration changed the columns of its result (0A000), or the server has become a
 * standby (25006).
 */
const STALE = ["26000", "0A000", "25006"];

const hasEnded = () =>
  Object.assign(new Error("the transaction has ended, or was not begun by inTransaction"), { code: "P2028" });

/** A transaction on a connection of the pool. Prisma joins it with the first statement that is Prisma's. */
class Running {
  readonly tx = this.lazily();
  private readonly begun: Promise<void>;
  private hasBegun = false;
  private hasEnded = false;
  private hasFailed = false;
  /** The connection is of no use to others, such as without the named statements that the driver believes it has. */
  private isStale = false;
  private prisma: Promise<Transaction> | undefined;
  /** Ends Prisma's part of the transaction. */
  leave = () => {};

  constructor(
    private readonly connection: pg.PoolClient,
    private readonly timeout: number,
  ) {
    sendTogether(connection);
    this.begun = this.send({ text: "BEGIN" }).then(() => {
      this.hasBegun = true;
    });
    // Everyone who awaits it gets its error too.
    this.begun.catch(() => {});
  }

  /**
   * Sends a statement. A read does not wait for the beginning: it would do no harm without. Throws P2028 after the end, when the
   * connection may serve another transaction.
   */
  async query<Row extends pg.QueryResultRow>({ text, values }: Statement): Promise<Row[]> {
    if (!this.hasBegun && !/^\s*SELECT\s/.test(text)) await this.begun;
    if (this.hasEnded) throw hasEnded();
    const sent = this.send<Row>({ name: nameOf({ sql: text }), text, values });
    const [{ rows }] = await Promise.all([sent, this.begun]);
    return rows;
  }

  /** By a callback, which the driver calls at once if it cannot send the statement. PostgreSQL has not seen the statement, so it reports no failure. */
  private send<Row extends pg.QueryResultRow>(statement: pg.QueryConfig): Promise<pg.QueryResult<Row>> {
    return new Promise((resolve, reject) => {
      this.connection.query<Row>(statement, (error: (Error & { code?: string; severity?: string }) | null, result) => {
        if (!error) return resolve(result);
        this.hasFailed = true;
        this.isStale ||= error.severity === undefined || STALE.includes(error.code ?? "");
        reject(error);
      });
    });
  }

  /**
   * Commits, with statements that `last` sends at once, in one go. Throws the error of the first that fails, or CommitOutcomeUnknown.
   */
  async commit(last: () => readonly Promise<unknown>[]): Promise<void> {
    await this.begun;
    if (this.hasEnded) throw hasEnded();
    sendTogether(this.connection);
    const sent = last();
    this.hasEnded = true;
    const committing = this.hasFailed ? undefined : this.send({ text: "COMMIT" });
    try {
      const [answer] = await Promise.all([committing, ...sent]);
      // The answer of a transaction in which a statement failed is ROLLBACK.
      if (answer?.command !== "COMMIT")
        throw new Error("the transaction is rolled back, because a statement in it failed");
    } catch (error) {
      throw (await mayBeCommitted(committing)) ? new CommitOutcomeUnknown(error) : error;
    }
  }

  /** Rolls back, after the statement in progress. Returns whether the connection can serve others. */
  async rollBack(): Promise<boolean> {
    this.hasEnded = true;
    await this.send({ text: "ROLLBACK" }).catch(() => {});
    return !this.isStale;
  }

  private join(): Promise<Transaction> {
    this.prisma ??= this.begun.then(() => {
      if (this.hasEnded) throw hasEnded();
      return new Promise<Transaction>((resolve, reject) => {
        const work = (tx: Transaction) => {
          resolve(tx);
          return new Promise<void>((leave) => {
            this.leave = leave;
            if (this.hasEnded) leave();
          });
        };
        const limits = { maxWait: this.timeout, timeout: this.timeout };
        joining()
          .run(this.forPrisma(), () => db().$transaction(work, limits))
          .catch(reject);
      });
    });
    return this.prisma;
  }

  /** The connection as Prisma sees it: what begins and ends its transactions is not sent. */
  private forPrisma(): Connection {
    const query = async (statement: pg.QueryConfig) => {
      if (/^(BEGIN|COMMIT|ROLLBACK)$/.test(statement.text)) return { rows: [], fields: [], rowCount: 0 };
      if (this.hasEnded) throw hasEnded();
      return this.send(statement);
    };
    const { connection } = this;
    return {
      query: query as pg.PoolClient["query"],
      on: () => connection,
      removeListener: () => connection,
      release() {},
    };
  }

  /** Prisma's transaction, which is joined when something of it is called. */
  private lazily(): Transaction {
    type Methods = Record<string, (...args: unknown[]) => unknown>;
    const call = (pick: (tx: Transaction) => Methods, name: string) => {
      return (...args: unknown[]) => this.join().then((tx) => pick(tx)[name]?.(...args));
    };
    const methods = (pick: (tx: Transaction) => Methods) =>
      new Proxy({}, { get: (_, name) => (name === "then" ? undefined : call(pick, String(name))) });
    return new Proxy({} as Transaction, {
      get: (_, name) => {
        if (typeof name !== "string" || name === "then") return undefined;
        if (name.startsWith("$")) return call((tx) => tx as unknown as Methods, name);
        return methods((tx) => tx[name as keyof Transaction] as unknown as Methods);
      },
    });
  }
}

/**
 * Runs `work` in one transaction, which is rolled back if `work` throws or takes longer than `timeout` milliseconds. `last` sends
 * statements at once that the commit follows without a wait; they have to belong to `queryIn`. Throws CommitOutcomeUnknown if the
 * answer to the commit was lost.
 */
export async function inTransaction<Result>(
  work: (tx: Transaction) => Promise<Result>,
  { timeout = TIMEOUT_MS, last = () => [] }: { timeout?: number; last?: (tx: Transaction) => Promise<unknown>[] } = {},
): Promise<Result> {
  const connection = await pool().connect();
  // A second call throws; the connection's own function would release it for its next user.
  const { release } = connection;
  const running = new Running(connection, timeout);
  transactions().set(running.tx, running);
  let rolledBack: Promise<void> | undefined;
  const rollBack = () => {
    rolledBack ??= running.rollBack().then((isSound) => release(!isSound));
    return rolledBack;
  };
  // Work that hangs must not keep its connection.
  const timer = setTimeout(rollBack, timeout);
  let result: Result;
  try {
    result = await work(running.tx);
    clearTimeout(timer);
    await running.commit(() => last(running.tx));
  } catch (error) {
    await rollBack();
    throw error;
  } finally {
    clearTimeout(timer);
    running.leave();
  }
  release();
  return result;
}

/**
 * Runs a statement in a transaction by the driver: Prisma would take several times as long, and turn bytes into base64 and JSON.
 * Throws the driver's errors, and P2028 as Prisma does if the transaction has ended because its time was over.
 */
export async function queryIn<Row extends pg.QueryResultRow>(tx: Transaction, statement: Statement): Promise<Row[]> {
  const running = transactions().get(tx);
  if (running === undefined) throw hasEnded();
  return running.query<Row>(statement);
}

/** Sends statements in a transaction: see `queryIn`. */
export const sendIn =
  (tx: Transaction): Send =>
  (statement) =>
    queryIn(tx, statement);

/** Sends a statement outside of transactions. Throws the driver's errors. */
export const send: Send = async ({ text, values }) => (await pool().query(text, values)).rows;
