import pg from "pg";
import { config } from "@/lib/config";
import { logAway, logBack } from "@/lib/db/outage-log";
import { defaultPurpose, type Purpose, purposes } from "@/lib/db/purposes";
import { isTimeLimit, isUnavailable } from "@/lib/db/unavailable";
import { log } from "@/lib/log";
import { processSingleton } from "@/lib/process-singleton";

/** Else the first requests after a quiet moment would all wait for new connections. */
const IDLE_MS = 60_000;
/** How much later than the server a client gives up: only a server that hangs lets it come to that. */
const READ_MARGIN_MS = 2_000;
const READ_TIMEOUT = "Query read timeout";

type Method = (...words: unknown[]) => unknown;

/** Calls `seen` with what a method of pg's failed with, or with null, before its caller learns it by callback or promise. */
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

/**
 * A connection that survives its own errors, is closed when the server leaves a statement unanswered, and logs when its database goes
 * away and comes back.
 */
class BoundedClient extends pg.Client {
  constructor(settings?: pg.ClientConfig) {
    super(settings);
    // A lost connection fails its queries; without a listener it would also end the process.
    this.on("error", () => {});
    const isAudit = settings?.connectionString !== config().DATABASE_URL;
    const dependency = isAudit ? "the audit database" : "the monitoring database";
    // The start tells the operator itself, in a sentence.
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
    Object.defineProperties(this, { connect: { value: connect }, query: { value: query } });
  }
}

/** Closes a connection without a word to the server, which may be beyond answering. */
export function destroy(client: pg.Client): void {
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}

function applicationName(purpose: Purpose): string {
  return `sealwatch ${purpose}`;
}

function clientSettings(url: string, purpose: Purpose): pg.ClientConfig {
  return {
    connectionString: url,
    connectionTimeoutMillis: purposes[purpose].acquireMs,
    // A COPY is no query to pg, which would never stop the clock; it has a time limit of its own.
    ...(purpose !== "export" && { query_timeout: purposes[purpose].statementMs + READ_MARGIN_MS }),
    keepAlive: true,
    application_name: applicationName(purpose),
  };
}

/** Sets the time limits after connecting: PgBouncer refuses them as start-up parameters. */
async function limit(client: pg.ClientBase, purpose: Purpose): Promise<void> {
  const { statementMs, lockMs, idleInTransactionMs } = purposes[purpose];
  await client.query(
    `SET statement_timeout = ${statementMs}; SET lock_timeout = ${lockMs}; SET idle_in_transaction_session_timeout = ${idleInTransactionMs}`,
  );
}

const openPools = processSingleton("db.pools", () => new Set<pg.Pool>());

/** The pool of a purpose. Rejects if no connection can be had within the purpose's `acquireMs`. */
export function makePool(url: string, purpose: Purpose = defaultPurpose()): pg.Pool {
  const pool = new pg.Pool({
    ...clientSettings(url, purpose),
    Client: BoundedClient,
    max: Math.max(1, Math.round(config().DATABASE_POOL_SIZE * purposes[purpose].share)),
    idleTimeoutMillis: IDLE_MS,
    onConnect: (client) => limit(client, purpose),
  });
  // An idle connection that is lost costs nobody anything; whoever needs the next one learns whether the database is away.
  pool.on("error", (error) => log.debug({ err: error }, "an idle database connection was lost"));
  openPools.add(pool);
  return pool;
}

/**
 * A connection of its own, outside of the pools, for a lock, an export or a migration; the caller ends it. Throws what connecting
 * failed with.
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

/** Runs `work` on one connection of the pool, which is closed rather than reused if `work` throws. */
export async function withClient<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  let isSound = false;
  try {
    const result = await work(client);
    isSound = true;
    return result;
  } finally {
    client.release(!isSound);
  }
}

interface TransactionOptions {
  /** Instead of the purpose's limits, in milliseconds. */
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
  await Promise.all([...openPools].map((pool) => pool.end()));
  openPools.clear();
}
