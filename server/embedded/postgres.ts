import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { connectClient } from "@/lib/db/connections";
import { type Installation, installPostgres } from "@/server/embedded/postgres-files";
import {
  clearStale,
  isRunning,
  launch,
  type Postmaster,
  readPostmaster,
  signalStop,
} from "@/server/embedded/postgres-process";
import { type EmbeddedUrls, embeddedUrls, LOGINS, prepareRoles, superuserUrl } from "@/server/embedded/roles";
import { freePort } from "@/server/port";
import { Refusal } from "@/server/web/refusal";

const START_DEADLINE_MS = 90_000;
const STOP_DEADLINE_MS = 30_000;
const POLL_MS = 50;
const DATABASE_MISSING = "3D000";

/** Advisory locks in the monitoring database, held by the connection of whoever uses the embedded PostgreSQL. */
export const USERS_LOCK = [0x5ea1, 1] as const;
export const SUPERVISOR_LOCK = [0x5ea1, 2] as const;

/** A running PostgreSQL and our stake in it. The last one to release it stops it, whoever started it. */
export type EmbeddedPostgres = {
  /** What the processes connect with, each setting with a role of its own. */
  urls: EmbeddedUrls;
  port: number;
  /** Whether a running Sealwatch has set up and migrated these databases. */
  isServed: boolean;
  /** Holds our locks. */
  lease: pg.Client;
  /** Settles when the lease's connection broke, which is how we learn that PostgreSQL died. */
  lost: Promise<void>;
  release: () => Promise<void>;
};

async function connect(url: string): Promise<pg.Client> {
  return connectClient(url, "migration");
}

/** A running Sealwatch takes its lock once the roles are set up; a version before the roles had the lock only. */
const IS_SERVED = `SELECT (SELECT count(*) FROM pg_roles WHERE rolname = ANY($3)) = cardinality($3) AND EXISTS (
  SELECT FROM pg_locks WHERE locktype = 'advisory' AND classid = $1 AND objid = $2 AND objsubid = 2 AND granted) AS served`;

async function isServed(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ served: boolean }>(IS_SERVED, [...SUPERVISOR_LOCK, LOGINS]);
  return rows[0]?.served === true;
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

type Stake = Pick<EmbeddedPostgres, "lease" | "isServed">;

/** Our stake in the PostgreSQL on `port`; undefined when it is not (or no longer) there to be used. Throws Refusal. */
async function takeLease(data: string, port: number, password: string): Promise<Stake | undefined> {
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
  } catch (error) {
    if (codeOf(error) === "28P01") {
      throw new Refusal(
        `The databases in ${data} do not accept the password in secrets.json: the two are not of the same origin. Restore the one that belongs to the other.`,
      );
    }
  }
  await client?.end().catch(() => {});
  return undefined;
}

/** Waits until PostgreSQL is ready, starting it as often as needed. Throws Refusal after the deadline. */
async function bringUp(
  installation: Installation,
  dataDir: string,
  password: string,
  preferredPort?: number,
): Promise<Stake & { port: number }> {
  const { data } = installation;
  const deadline = Date.now() + START_DEADLINE_MS;
  let child: ChildProcess | undefined;
  let attempts = 0;
  while (Date.now() < deadline) {
    const postmaster = readPostmaster(data);
    const running = postmaster !== undefined && isRunning(postmaster, data);
    if (running && postmaster.ready) {
      const stake = await takeLease(data, postmaster.port, password);
      if (stake) return { ...stake, port: postmaster.port };
    } else if (!running && (!child || child.exitCode !== null || child.signalCode !== null)) {
      if (postmaster) clearStale(postmaster, data);
      if (child) await delay(250);
      if (++attempts > 20) break;
      child = launch(installation, dataDir, await freePort(attempts === 1 ? preferredPort : 0));
      child.on("error", () => {});
      // It outlives this process if need be (another one may be using it by then).
      child.unref();
    }
    await delay(POLL_MS);
  }
  throw new Refusal(
    `The embedded PostgreSQL did not start; its reason stands in ${join(dataDir, "logs", "postgres.log")}.`,
  );
}

async function isGone(data: string, { pid }: Postmaster, deadline: number): Promise<boolean> {
  while (Date.now() < deadline) {
    // The file goes last, and a stopped process may stay a zombie for long, so whichever is seen first counts.
    const now = readPostmaster(data);
    if (!now || now.pid !== pid || !isRunning(now, data)) return true;
    await delay(POLL_MS);
  }
  return false;
}

async function release(installation: Installation, lease: pg.Client): Promise<void> {
  const { data } = installation;
  try {
    await lease.query("SELECT pg_advisory_unlock_shared($1, $2)", [...USERS_LOCK]);
    const { rows } = await lease.query<{ alone: boolean }>("SELECT pg_try_advisory_lock($1, $2) AS alone", [
      ...USERS_LOCK,
    ]);
    if (!rows[0]?.alone) return;
    // From here on nobody else gets a lease: whoever asks waits until PostgreSQL is down, and starts it afresh.
    const postmaster = readPostmaster(data);
    if (!postmaster) return;
    signalStop(installation, postmaster.pid, "fast");
    if (await isGone(data, postmaster, Date.now() + STOP_DEADLINE_MS)) return;
    signalStop(installation, postmaster.pid, "immediate");
    await isGone(data, postmaster, Date.now() + STOP_DEADLINE_MS);
  } catch {
    // The connection is gone, and PostgreSQL with it.
  } finally {
    await lease.end().catch(() => {});
  }
}

/** Uses the PostgreSQL of `dataDir` that is running, or starts it. Ports change from start to start. Throws Refusal. */
export async function ensurePostgres(
  dataDir: string,
  password: string,
  preferredPort?: number,
): Promise<EmbeddedPostgres> {
  const installation = installPostgres(dataDir, password);
  const { lease, isServed, port } = await bringUp(installation, dataDir, password, preferredPort);
  return {
    urls: embeddedUrls(port, password),
    port,
    isServed,
    lease,
    lost: new Promise((resolve) => lease.once("end", () => resolve())),
    release: () => release(installation, lease),
  };
}
