import { Socket } from "node:net";
import pg from "pg";
import { config } from "@/lib/config";
import { logAway, logBack, noteLost } from "@/lib/db/outage-log";
import { type Purpose, purposes } from "@/lib/db/purposes";
import { isNumbered } from "@/lib/db/statement-names";
import { isTimeLimit, isUnavailable } from "@/lib/db/unavailable";
import { log } from "@/lib/log";
import { onRead, setGauge } from "@/lib/metrics/metrics";
import { processSingleton } from "@/lib/process-singleton";
import { beginSpan, keepTrace } from "@/lib/tracing/span";
import { describeStatement } from "@/lib/tracing/statement";

/** Idle connections stay open this long, or the first requests after a quiet period would all wait for new connections. */
const IDLE_MS = 60_000;
/** The client's timeout exceeds the server's by this much, so that it takes effect only if the server hangs. In milliseconds. */
const READ_MARGIN_MS = 2_000;
/** Milliseconds that a server has to take leave of a connection. */
const CLOSE_MS = 2_000;
const READ_TIMEOUT = "Query read timeout";

type Method = (...words: unknown[]) => unknown;

/** Wraps a method of pg: calls `seen` with its error or null before its caller receives the result by callback or promise. */
function watch(method: Method, seen: (error: Error | null) => void): Method {
  return (...words) => {
    const callback = words.at(-1);
    if (typeof callback === "function") {
      words[words.length - 1] = (error: Error | null, ...rest: unknown[]) => {
        seen(error ?? null);
        callback(error, ...rest);
      };
    }
    const sent = method(...words);
    if (sent instanceof Promise) sent.then(() => seen(null), seen);
    return sent;
  };
}

type Database = "monitoring" | "audit";

const dependencyOf = (database: Database) => `the ${database} database` as const;

/** Every URL but that of the monitoring database leads to the audit database. */
function databaseOf(url: string | undefined): Database {
  return url === config().DATABASE_URL ? "monitoring" : "audit";
}

/** Begins the span of a statement. Undefined if none is recorded, or if rows are read from it one by one. */
function beginStatement(statement: unknown, database: Database): ((error: Error | null) => void) | undefined {
  const { text, name, submit } = (typeof statement === "string" ? { text: statement } : statement) as {
    text?: string;
    name?: string;
    submit?: unknown;
  };
  if (text === undefined || submit !== undefined) return undefined;
  return beginSpan(() => {
    const described = describeStatement(text, name === undefined || isNumbered(name) ? undefined : name);
    return [described.name, { ...described.attributes, "db.namespace": database }];
  });
}

/**
 * A connection that survives its own errors, closes if the server does not answer a statement, and logs when its database becomes
 * unavailable and available again.
 */
class BoundedClient extends pg.Client {
  constructor(settings?: pg.ClientConfig) {
    super(settings);
    // A lost connection fails its queries. Without this listener, it would also end the process.
    this.on("error", () => {});
    const database = databaseOf(settings?.connectionString);
    const dependency = dependencyOf(database);
    // The start command reports failures to the operator itself.
    const isSilent = settings?.application_name === applicationName("migration");
    const seen = (error: Error | null, isAway: boolean) => {
      if (isSilent) return;
      if (error !== null && isAway) logAway(dependency, { err: error });
      else logBack(dependency);
    };
    const connect = watch(this.connect.bind(this) as Method, (error) => seen(error, true));
    const query = watch(this.query.bind(this) as Method, (error) => {
      if (error?.message === READ_TIMEOUT) destroy(this);
      seen(error, isUnavailable(error) && !isTimeLimit(error));
    });
    const traced: Method = (...words) => {
      const end = beginStatement(words[0], database);
      return end === undefined ? query(...words) : watch(query, end)(...words);
    };
    Object.defineProperties(this, { connect: { value: connect }, query: { value: traced } });
  }
}

/** A socket that copies what is written together into one buffer, because a system call with a list of buffers costs more. */
class JoiningSocket extends Socket {
  override _writev(chunks: { chunk: Buffer }[], done: (error?: Error | null) => void): void {
    // The encoding that Node.js passes with bytes.
    this._write(Buffer.concat(chunks.map(({ chunk }) => chunk)), "buffer" as BufferEncoding, done);
  }
}

const streamOf = (client: pg.ClientBase) => (client as unknown as { connection: { stream: Socket } }).connection.stream;

/** Closes a connection without notifying the server, which may no longer respond. */
export function destroy(client: pg.Client): void {
  streamOf(client).destroy();
}

/** Ends a connection, by force after 2 s: if the other machine is gone, the operating system would wait for minutes. Never rejects. */
export async function close(client: pg.Client): Promise<void> {
  const timer = setTimeout(() => destroy(client), CLOSE_MS);
  await client.end().catch(() => {});
  clearTimeout(timer);
}

/** Sends all statements of this turn of the event loop in one system call: the call costs more than the bytes. */
export function sendTogether(client: pg.ClientBase): void {
  const stream = streamOf(client);
  stream.cork();
  process.nextTick(() => stream.uncork());
}

function applicationName(purpose: Purpose): string {
  return `sealwatch ${purpose}`;
}

function clientSettings(url: string, purpose: Purpose): pg.ClientConfig {
  return {
    connectionString: url,
    connectionTimeoutMillis: purposes[purpose].acquireMs,
    // pg does not treat a COPY as a query and would never stop its timer; a COPY has its own timeout.
    ...(purpose !== "export" && { query_timeout: purposes[purpose].statementMs + READ_MARGIN_MS }),
    keepAlive: true,
    stream: () => new JoiningSocket(),
    keepAliveInitialDelayMillis: 10_000,
    application_name: applicationName(purpose),
  };
}

/**
 * Sets the time limits after connecting, because PgBouncer refuses them as start-up parameters, and the time zone in which PostgreSQL reads
 * times without one: Prisma sends them in UTC.
 */
async function limit(client: pg.ClientBase, purpose: Purpose): Promise<void> {
  const { statementMs, lockMs, idleInTransactionMs } = purposes[purpose];
  await client.query(
    `SET statement_timeout = ${statementMs}; SET lock_timeout = ${lockMs}; SET idle_in_transaction_session_timeout = ${idleInTransactionMs};
     SET timezone = 'UTC'`,
  );
}

/** An error of the server itself, so that it is logged as the outage that it is. */
const REFUSE_STANDBY = `DO $$ BEGIN
  IF pg_is_in_recovery() THEN RAISE EXCEPTION 'the server is a standby' USING ERRCODE = 'cannot_connect_now'; END IF;
END $$`;

/**
 * Throws 57P03 if the server is a standby, as the former primary is after a failover until its address leads to the new one: what is read
 * there may be old, and a lock there excludes nobody.
 */
export async function requirePrimary(client: pg.ClientBase): Promise<void> {
  await client.query(REFUSE_STANDBY);
}

/** The open pools of this process, by the labels of their metrics. */
const openPools = processSingleton("db.pools", () => new Map<pg.Pool, { database: Database; purpose: Purpose }>());

onRead("db.pools", () => {
  for (const [pool, labels] of openPools) {
    const { totalCount, idleCount, waitingCount } = pool;
    setGauge("sealwatch_database_connections", { ...labels, state: "busy" }, totalCount - idleCount);
    setGauge("sealwatch_database_connections", { ...labels, state: "idle" }, idleCount);
    setGauge("sealwatch_database_connections_max", labels, pool.options.max);
    setGauge("sealwatch_database_waiting_requests", labels, waitingCount);
  }
});

/**
 * The pool of a purpose, with connections to a primary. Its `connect` rejects if no connection is acquired within the purpose's
 * `acquireMs`.
 */
export function makePool(url: string, purpose: Purpose): pg.Pool {
  const pool = new pg.Pool({
    ...clientSettings(url, purpose),
    // Statements of a transaction that do not depend on each other's results are sent in one go.
    pipeline: true,
    Client: BoundedClient,
    max: Math.max(1, Math.floor(config().DATABASE_POOL_SIZE * purposes[purpose].share)),
    idleTimeoutMillis: IDLE_MS,
    onConnect: async (client) => {
      await limit(client, purpose);
      await requirePrimary(client);
    },
  });
  const connect = pool.connect.bind(pool) as Method;
  // A free connection is handed over by whoever releases it; its statements belong to the trace of the code that waits for it.
  pool.connect = ((...words: Method[]) => connect(...words.map(keepTrace))) as typeof pool.connect;
  // Losing an idle connection does no harm; the next use shows whether the database is available.
  const database = databaseOf(url);
  pool.on("error", (error) => {
    noteLost(dependencyOf(database));
    log.debug({ err: error }, "an idle database connection was lost");
  });
  openPools.set(pool, { database, purpose });
  return pool;
}

/**
 * Opens a separate connection outside the pools, for a lock, an export or a migration; the caller ends it. Throws the connection
 * error.
 */
export async function connectClient(url: string, purpose: Purpose): Promise<pg.Client> {
  const client = new BoundedClient(clientSettings(url, purpose));
  try {
    await client.connect();
    await limit(client, purpose);
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
}

/** Whether a server refused to write (25006): it has become a standby, and its connections are of no use. */
const isReadOnly = (error: unknown) => (error as { code?: unknown } | null)?.code === "25006";

interface TransactionOptions {
  /** Replaces the purpose's limit, in milliseconds. */
  statementMs?: number;
  lockMs?: number;
  readOnly?: boolean;
  /** Further settings for this transaction, such as `enable_sort`. */
  settings?: Readonly<Record<string, string>>;
}

/** Runs `work` in one transaction, which is rolled back if `work` throws. */
export async function withTransaction<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
  { statementMs, lockMs, readOnly = false, settings = {} }: TransactionOptions = {},
): Promise<Result> {
  const local = Object.entries({
    ...settings,
    ...(statementMs !== undefined && { statement_timeout: `${statementMs}` }),
    ...(lockMs !== undefined && { lock_timeout: `${lockMs}` }),
  }).map(([name, value]) => `; SET LOCAL ${name} = ${pg.escapeLiteral(value)}`);
  const client = await pool.connect();
  let isBroken = false;
  try {
    await client.query(`BEGIN${readOnly ? " READ ONLY" : ""}${local.join("")}`);
    const result = await work(client);
    await client.query("COMMIT");
    return result;
  } catch (error) {
    isBroken = isReadOnly(error);
    await client.query("ROLLBACK").catch(() => {
      isBroken = true;
    });
    throw error;
  } finally {
    client.release(isBroken);
  }
}

/** Ends all pools of this process. */
export async function endPools(): Promise<void> {
  await Promise.all([...openPools.keys()].map((pool) => pool.end()));
  openPools.clear();
}
