import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  fchownSync,
  lchownSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { config } from "@/lib/config";
import { limitsOf } from "@/server/embedded/connections-needed";
import { cleanEnvironment, type Installation } from "@/server/embedded/postgres-files";
import { Refusal } from "@/server/web/refusal";

const LOG_BYTES = 10 * 1024 * 1024;

/** The longest folder, in bytes, whose path with `/.s.PGSQL.` and a port fits into a socket's address, which has 104 on macOS. */
const MAX_SOCKET_FOLDER = 87;

/** The states of a PostgreSQL that begins or recovers: `standby` recovers from a backup's log and accepts no connections either. */
const NOT_YET_READY = ["starting", "standby"];

/** The content of the file in which PostgreSQL describes its process, in its data folder. `socketFolder`: empty for TCP alone. */
export type Postmaster = {
  pid: number;
  port: number;
  socketFolder: string;
  sharedMemoryId: number;
  /** Accepts no connections yet: it begins, or recovers what it had not written before it was killed. */
  starting: boolean;
  ready: boolean;
};

/** Where a running PostgreSQL accepts connections. */
export type Listener = Pick<Postmaster, "port" | "socketFolder">;

/** Parses `postmaster.pid`, whose lines have a fixed order; undefined if it is incomplete. */
export function parsePostmaster(text: string): Postmaster | undefined {
  const lines = text.split("\n");
  const pid = Math.abs(Number(lines[0]));
  const port = Number(lines[3]);
  if (!pid || !port) return undefined;
  return {
    pid,
    port,
    socketFolder: lines[4] ?? "",
    sharedMemoryId: Number(lines[6]?.trim().split(/\s+/)[1] ?? -1),
    starting: NOT_YET_READY.includes(lines[7]?.trim() ?? ""),
    ready: lines[7]?.trim() === "ready",
  };
}

export function readPostmaster(data: string): Postmaster | undefined {
  try {
    return parsePostmaster(readFileSync(join(data, "postmaster.pid"), "utf8"));
  } catch {
    return undefined;
  }
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return spawnSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" }).stdout ?? "";
  }
}

/** Whether the process in `postmaster.pid` is still the PostgreSQL of this folder, which may be reached by a link. */
export function isRunning({ pid }: Pick<Postmaster, "pid">, data: string): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  // Another process may have the same id by now; a zombie has no command line.
  return process.platform === "win32" || commandLine(pid).includes(startedAs(data));
}

/** The folder as PostgreSQL is started with it: the one that contains it is named without links. */
function startedAs(data: string): string {
  const place = dirname(data);
  return existsSync(place) ? join(realpathSync(place), basename(data)) : data;
}

/** The number of processes that still use the shared memory of a dead PostgreSQL (0 on systems other than Linux). */
function leftBehind({ sharedMemoryId }: Postmaster): number {
  if (!existsSync("/proc/sysvipc/shm")) return 0;
  const rows = readFileSync("/proc/sysvipc/shm", "utf8")
    .split("\n")
    .map((line) => line.trim().split(/\s+/));
  return Number(rows.find(([, id]) => Number(id) === sharedMemoryId)?.[6] ?? 0);
}

/**
 * Removes the `postmaster.pid` of a killed PostgreSQL, which would refuse to start while another process has that id.
 * Keeps it while child processes of the killed one live: the file prevents a second PostgreSQL on the same data.
 */
export function clearStale(postmaster: Postmaster, data: string): void {
  if (leftBehind(postmaster) > 0) return;
  const { socketFolder, port } = postmaster;
  if (socketFolder) rmSync(join(socketFolder, `.s.PGSQL.${port}.lock`), { force: true });
  rmSync(join(data, "postmaster.pid"), { force: true });
}

const isRoot = () => process.getuid?.() === 0;

/** Gives the owner only a file that this call creates: a link of somebody else could lead to any file. */
function openAppending(file: string, uid: number, gid: number): number {
  try {
    const descriptor = openSync(file, "ax", 0o600);
    if (isRoot()) fchownSync(descriptor, uid, gid);
    return descriptor;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return openSync(file, "a");
  }
}

/** Opens the log. What is new belongs to the owner of DATA_DIR, who may start Sealwatch next, even if root starts it. Throws Refusal. */
function openLog(dataDir: string): number {
  const folder = join(dataDir, "logs");
  const file = join(folder, "postgres.log");
  try {
    const { uid, gid } = statSync(dataDir);
    const isNew = mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined;
    if (isNew && isRoot()) lchownSync(folder, uid, gid);
    if (existsSync(file) && statSync(file).size > LOG_BYTES) renameSync(file, `${file}.1`);
    return openAppending(file, uid, gid);
  } catch (error) {
    throw new Refusal(
      `${file} cannot be written (${(error as NodeJS.ErrnoException).code}): file and folder must belong to the account that starts Sealwatch.`,
    );
  }
}

/**
 * Starts PostgreSQL in its own process group, so that Ctrl-C in the terminal does not reach it: SIGINT would make it
 * close every connection while requests are still being finished. `withSocket`: beside TCP, listens on a Unix socket in the folder of
 * its data, which costs less per statement. Not all file systems have sockets.
 */
export function launch(
  { bin, data, account }: Installation,
  dataDir: string,
  port: number,
  withSocket: boolean,
): ChildProcess {
  const log = openLog(dataDir);
  const folder = dirname(data);
  const hasSocket = withSocket && process.platform !== "win32" && Buffer.byteLength(folder) <= MAX_SOCKET_FOLDER;
  const settings = {
    listen_addresses: "127.0.0.1",
    port,
    unix_socket_directories: hasSocket ? `"${folder.replaceAll('"', '""')}"` : "",
    ...limitsOf(config()),
    shared_buffers: "256MB",
    random_page_cost: 1.1,
    jit: "off",
    log_timezone: "UTC",
    timezone: "UTC",
    idle_in_transaction_session_timeout: "5min",
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const program = join(bin, process.platform === "win32" ? "postgres.exe" : "postgres");
  const child = spawn(program, ["-D", data, ...args], {
    ...account,
    cwd: process.platform === "win32" ? dirname(data) : "/",
    env: cleanEnvironment(),
    stdio: ["ignore", log, log],
    detached: true,
  });
  closeSync(log);
  return child;
}

/** Asks PostgreSQL to stop without waiting for clients ("fast"), or without a clean shutdown ("immediate"). */
export function signalStop({ bin, data, account }: Installation, pid: number, how: "fast" | "immediate"): void {
  if (process.platform === "win32") {
    spawnSync(join(bin, "pg_ctl.exe"), ["stop", "-D", data, "-m", how, "-W"], { ...account, env: cleanEnvironment() });
    return;
  }
  try {
    process.kill(pid, how === "fast" ? "SIGINT" : "SIGQUIT");
  } catch {}
}
