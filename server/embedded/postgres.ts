import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { connectClient } from "@/lib/db/connections";
import { type Installation, installPostgres } from "@/server/embedded/postgres-files";
import {
  clearStale,
  isRunning,
  type Listener,
  launch,
  type Postmaster,
  readPostmaster,
  signalStop,
} from "@/server/embedded/postgres-process";
import { type EmbeddedUrls, embeddedUrls, LOGINS, prepareRoles, superuserUrl } from "@/server/embedded/roles";
import { freePort } from "@/server/port";
import { isRefusal, Refusal } from "@/server/web/refusal";

/** A PostgreSQL that is starting or recovering may take longer, as recovery takes as long as there is to recover. */
const START_DEADLINE_MS = 90_000;
const NOTE_EVERY_MS = 30_000;
const STOP_DEADLINE_MS = 30_000;
const POLL_MS = 50;
const DATABASE_MISSING = "3D000";
/** What PostgreSQL answers while it recovers from the crash of one of its processes. */
const NOT_YET = "57P03";

/** Advisory locks in the monitoring database, held by a connection of each process that uses the embedded PostgreSQL. */
const USERS_LOCK = [0x5ea1, 1] as const;
export const SUPERVISOR_LOCK = [0x5ea1, 2] as const;

/** A running PostgreSQL and a lease of it. The last process to release its lease stops PostgreSQL. */
export type EmbeddedPostgres = {
  /** The connection settings of the processes, each with its own role. */
  urls: EmbeddedUrls;
  port: number;
  /** Whether a running Sealwatch has already set up and migrated these databases. */
  isServed: boolean;
  /** The connection that holds the locks. */
  lease: pg.Client;
  /** Resolves when the lease's connection breaks, which means that PostgreSQL died. */
  lost: Promise<void>;
  release: () => Promise<void>;
};

async function connect(url: string): Promise<pg.Client> {
  return connectClient(url, "migration");
}

/** A running Sealwatch takes its lock after it has set up the roles; releases without roles had only the lock. */
const IS_SERVED = `SELECT (SELECT count(*) FROM pg_roles WHERE rolname = ANY($3)) = cardinality($3) AND EXISTS (
  SELECT FROM pg_locks WHERE locktype = 'advisory' AND classid = $1 AND objid = $2 AND objsubid = 2 AND granted) AS served`;

async function isServed(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ served: boolean }>(IS_SERVED, [...SUPERVISOR_LOCK, LOGINS]);
  return rows[0]?.served === true;
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

type Lease = Pick<EmbeddedPostgres, "lease" | "isServed">;

/** Takes a lease of the PostgreSQL on `port`; undefined if it is stopping. Throws Refusal, or the error of one that is not ready. */
async function takeLease(data: string, port: number, password: string): Promise<Lease | undefined> {
  const url = superuserUrl(port, password, "app");
  let client: pg.Client | undefined;
  try {
    client = await connect(url).catch((error: unknown) => {
      if (codeOf(error) === DATABASE_MISSING) return undefined;
      throw error;
    });
    const served = client !== undefined && (await isServed(client));
    if (!served) await prepareRoles(port, password);
    client ??= await connect(url);
    const { rows } = await client.query<{ data: string; granted: boolean }>(
      "SELECT current_setting('data_directory') AS data, pg_try_advisory_lock_shared($1, $2) AS granted",
      [...USERS_LOCK],
    );
    if (rows[0]?.data === data && rows[0].granted) return { lease: client, isServed: served };
    await client.end().catch(() => {});
    return undefined;
  } catch (error) {
    await client?.end().catch(() => {});
    if (codeOf(error) !== "28P01") throw error;
    throw new Refusal(
      `The databases in ${data} do not accept the password in secrets.json: they belong to different installations. Restore both from the same backup.`,
    );
  }
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

/** Ends a PostgreSQL that this process has started and that nobody can use yet. */
async function abandon(installation: Installation, child: ChildProcess): Promise<void> {
  for (const how of ["fast", "immediate"] as const) {
    if (child.pid === undefined || hasEnded(child)) return;
    signalStop(installation, child.pid, how);
    const deadline = Date.now() + STOP_DEADLINE_MS;
    while (!hasEnded(child) && Date.now() < deadline) await delay(POLL_MS);
  }
}

/** Calls `note` every now and then. */
function noteSometimes(note: () => void): () => void {
  let notedAt = Date.now();
  return () => {
    if (Date.now() < notedAt + NOTE_EVERY_MS) return;
    notedAt = Date.now();
    note();
  };
}

/**
 * Waits until PostgreSQL is ready, and starts it as often as necessary. Throws Refusal after the deadline, which does not count while
 * PostgreSQL is starting or recovering, and the reason of `signal` if it aborts before PostgreSQL is ready.
 */
async function bringUp(
  installation: Installation,
  dataDir: string,
  password: string,
  { port: preferredPort, signal }: StartOptions,
): Promise<Lease & Listener> {
  const { data } = installation;
  const log = join(dataDir, "logs", "postgres.log");
  let deadline = Date.now() + START_DEADLINE_MS;
  let child: ChildProcess | undefined;
  let attempts = 0;
  let failure: string | undefined;
  const note = noteSometimes(() =>
    console.error(`The embedded PostgreSQL is still starting or recovering; waiting for it (see ${log})…`),
  );
  const waitLonger = () => {
    deadline = Date.now() + START_DEADLINE_MS;
    note();
  };
  while (Date.now() < deadline) {
    const postmaster = readPostmaster(data);
    const running = postmaster !== undefined && isRunning(postmaster, data);
    if (running && postmaster.ready) {
      const lease = await takeLease(data, postmaster.port, password).catch(async (error: unknown) => {
        if (isRefusal(error)) throw error;
        failure = (error as Error).message;
        if (codeOf(error) !== NOT_YET) return undefined;
        // It has ended all connections, so nobody has a lease.
        if (signal?.aborted) await shutDown(installation, postmaster);
        signal?.throwIfAborted();
        waitLonger();
        return undefined;
      });
      if (lease) return { ...lease, ...postmaster };
    } else if (signal?.aborted) {
      if (child) await abandon(installation, child);
      signal.throwIfAborted();
    } else if (running && postmaster.starting) {
      waitLonger();
    } else if (!running && (!child || hasEnded(child))) {
      if (postmaster) clearStale(postmaster, data);
      if (child) await delay(250);
      if (++attempts > 20) break;
      child = launch(installation, dataDir, await freePort(attempts === 1 ? preferredPort : 0), attempts === 1);
      child.on("error", () => {});
      // It may outlive this process, because another process may use it by then.
      child.unref();
    }
    await delay(POLL_MS);
  }
  throw new Refusal(
    failure === undefined
      ? `The embedded PostgreSQL did not start. See ${log}.`
      : `The embedded PostgreSQL could not be used (see ${log}): ${failure}`,
  );
}

async function isGone(data: string, { pid }: Postmaster, deadline: number): Promise<boolean> {
  while (Date.now() < deadline) {
    // PostgreSQL deletes the file last, but a stopped process may stay a zombie for long: either sign is enough.
    const now = readPostmaster(data);
    if (!now || now.pid !== pid || !isRunning(now, data)) return true;
    await delay(POLL_MS);
  }
  return false;
}

/** Stops a PostgreSQL that nobody uses. */
async function shutDown(installation: Installation, postmaster: Postmaster): Promise<void> {
  for (const how of ["fast", "immediate"] as const) {
    signalStop(installation, postmaster.pid, how);
    if (await isGone(installation.data, postmaster, Date.now() + STOP_DEADLINE_MS)) return;
  }
}

async function release(installation: Installation, lease: pg.Client): Promise<void> {
  try {
    await lease.query("SELECT pg_advisory_unlock_shared($1, $2)", [...USERS_LOCK]);
    const { rows } = await lease.query<{ alone: boolean }>("SELECT pg_try_advisory_lock($1, $2) AS alone", [
      ...USERS_LOCK,
    ]);
    if (!rows[0]?.alone) return;
    // From here on no other process gets a lease: it waits until PostgreSQL is down and starts it again.
    const postmaster = readPostmaster(installation.data);
    if (postmaster) await shutDown(installation, postmaster);
  } catch {
    // The connection is gone, and PostgreSQL with it.
  } finally {
    await lease.end().catch(() => {});
  }
}

/** `port`: used if possible. `signal`: ends the wait for a PostgreSQL that is not ready yet, with its reason. */
type StartOptions = { port?: number; signal?: AbortSignal };

/** Uses the running PostgreSQL of `dataDir`, or starts it. The port may change with every start. Throws Refusal. */
export async function ensurePostgres(
  dataDir: string,
  password: string,
  options: StartOptions = {},
): Promise<EmbeddedPostgres> {
  const installation = installPostgres(dataDir, password);
  const { lease, isServed, ...listener } = await bringUp(installation, dataDir, password, options);
  return {
    urls: embeddedUrls(listener, password),
    port: listener.port,
    isServed,
    lease,
    lost: new Promise((resolve) => lease.once("end", () => resolve())),
    release: () => release(installation, lease),
  };
}
