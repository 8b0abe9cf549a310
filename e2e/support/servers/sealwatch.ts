import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lastingPort } from "@/e2e/support/servers/lasting-port";
import { copyPreparedData } from "@/e2e/support/servers/prepared-data";
import { alive, familyOf, killNow } from "@/e2e/support/servers/processes";
import { until } from "@/e2e/support/until";
import { isRunning, readPostmaster } from "@/server/embedded/postgres-process";
import { type EmbeddedUrls, embeddedUrls, superuserUrl } from "@/server/embedded/roles";

const READY_MS = 400_000;
/** Less than the grace period of suites that see what a stop waits for. */
const STOP_MS = 120_000;

export type Part = "supervisor" | "web" | "worker" | "postgres";

/** The plain data of a `Sealwatch`, so that it can be passed from the test process that started it to others. */
export interface Installation {
  url: string;
  port: number;
  /** The folder with `data` (the DATA_DIR) and the output of the processes. */
  folder: string;
  env: Record<string, string>;
  pid: number;
}

type DatabaseUrls = Omit<EmbeddedUrls, "AUDIT_MAINTENANCE_DATABASE_URL"> & Partial<EmbeddedUrls>;

interface CommandResult {
  code: number;
  stdout: string;
  stderr: string;
}

/** The environment of a Sealwatch process, without that of the test runner and without a `.env` in the checkout. */
function environment(given: Record<string, string>): NodeJS.ProcessEnv {
  const unset = [...readFileSync(".env.example", "utf8").matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => [name, ""]);
  const { PATH, HOME, TMPDIR, TEMP, SystemRoot } = process.env;
  const inherited = { PATH, HOME, TMPDIR, TEMP, SystemRoot };
  return { ...inherited, ...Object.fromEntries(unset), ...given } as NodeJS.ProcessEnv;
}

function ended(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

/** A running Sealwatch: its processes, databases and operator commands. */
export class Sealwatch {
  constructor(private installation: Installation) {}

  get url(): string {
    return this.installation.url;
  }

  get port(): number {
    return this.installation.port;
  }

  get dataDir(): string {
    return join(this.installation.folder, "data");
  }

  /** To pass to another process. */
  get plain(): Installation {
    return this.installation;
  }

  private secrets(): { database_password: string; session_secret: string; initial_password: string } {
    return JSON.parse(readFileSync(join(this.dataDir, "secrets.json"), "utf8"));
  }

  get sessionSecret(): string {
    return this.installation.env.SESSION_SECRET ?? this.secrets().session_secret;
  }

  /** The first account of the embedded identity provider. */
  get owner(): { email: string; password: string } {
    return { email: "owner@sealwatch.local", password: this.secrets().initial_password };
  }

  private get postmaster() {
    const postmaster = readPostmaster(join(this.dataDir, "postgres", "data"));
    if (!postmaster) throw new Error("the embedded PostgreSQL is not running");
    return postmaster;
  }

  /** The current connection settings of its processes: the port changes when PostgreSQL is restarted. */
  get urls(): DatabaseUrls {
    const { DATABASE_URL, AUDIT_DATABASE_URL, AUDIT_MAINTENANCE_DATABASE_URL } = this.installation.env;
    if (!DATABASE_URL || !AUDIT_DATABASE_URL) return embeddedUrls(this.postmaster, this.secrets().database_password);
    return {
      DATABASE_URL,
      AUDIT_DATABASE_URL,
      ...(AUDIT_MAINTENANCE_DATABASE_URL && { AUDIT_MAINTENANCE_DATABASE_URL }),
    };
  }

  /** URLs of the two databases for tests that inspect or interfere, with more privileges than any process has. */
  get databases(): { app: string; audit: string } {
    const { DATABASE_URL, AUDIT_DATABASE_URL, AUDIT_MAINTENANCE_DATABASE_URL } = this.installation.env;
    if (DATABASE_URL && AUDIT_DATABASE_URL)
      return { app: DATABASE_URL, audit: AUDIT_MAINTENANCE_DATABASE_URL || AUDIT_DATABASE_URL };
    const { port } = this.postmaster;
    const { database_password } = this.secrets();
    return {
      app: superuserUrl(port, database_password, "app"),
      audit: superuserUrl(port, database_password, "audit"),
    };
  }

  /** The ids of the running processes. */
  pids(): Partial<Record<Part, number>> {
    const family = familyOf(this.installation.pid);
    const find = (text: string) => family.find(({ command }) => command.includes(text))?.pid;
    const data = join(this.dataDir, "postgres", "data");
    const postmaster = readPostmaster(data);
    const parts = {
      supervisor: family[0]?.pid,
      web: find("server/web."),
      worker: find("server/worker."),
      postgres: postmaster && isRunning(postmaster, data) ? postmaster.pid : undefined,
    };
    return Object.fromEntries(Object.entries(parts).filter(([, pid]) => pid !== undefined));
  }

  /** The ids of the web processes, of which there may be several. */
  webPids(): number[] {
    const family = familyOf(this.installation.pid);
    return family.filter(({ command }) => command.includes("server/web.")).map(({ pid }) => pid);
  }

  /** Every process of this installation, including PostgreSQL's. */
  allPids(): number[] {
    const { postgres } = this.pids();
    const roots = [this.installation.pid, ...(postgres ? [postgres] : [])];
    return [...new Set(roots.flatMap((pid) => familyOf(pid)).map(({ pid }) => pid))];
  }

  /** `kill -9`. Returns the id of the killed process. */
  kill(part: Part): number {
    const pid = this.pids()[part];
    if (pid === undefined) throw new Error(`there is no ${part} process to kill`);
    killNow(pid);
    return pid;
  }

  /** The output of the processes: the start-up message on standard output, the log on standard error. */
  output(): { stdout: string; stderr: string } {
    const read = (name: string) => {
      const file = join(this.installation.folder, name);
      return existsSync(file) ? readFileSync(file, "utf8") : "";
    };
    return { stdout: read("stdout"), stderr: read("stderr") };
  }

  /** Runs an operator command while the server runs. */
  async command(args: readonly string[]): Promise<CommandResult> {
    return runStart(["--cli", ...args], this.installation.env);
  }

  /** Runs an operator command with `--json` and returns its document. Throws if it fails. */
  async cli<Document>(...args: string[]): Promise<Document> {
    const { code, stdout, stderr } = await this.command([...args, "--json"]);
    if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}: ${stderr}`);
    return JSON.parse(stdout) as Document;
  }

  /** Sends SIGTERM like a service manager. Resolves when every process has ended. */
  async stop(): Promise<void> {
    const pids = this.allPids();
    try {
      process.kill(this.installation.pid, "SIGTERM");
    } catch {}
    await until(`processes ${pids} end after SIGTERM`, () => alive(pids).length === 0, STOP_MS);
  }

  /** Starts it again after `stop` or a kill: same data, same port, same settings. */
  async start(): Promise<void> {
    this.installation = { ...this.installation, pid: await launch(this.installation) };
  }

  /** Ends the remaining processes, by force if necessary, and removes the data. */
  async destroy(): Promise<void> {
    const pids = this.allPids();
    await this.stop().catch(() => {
      for (const pid of pids) killNow(pid);
    });
    rmSync(this.installation.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

/** Whether a start failed because the machine was so busy that PostgreSQL took too long to accept a connection. */
const wasTooSlow = (stderr: string) => stderr.includes("Error: timeout expired");
const MAX_ATTEMPTS = 3;

/** Runs `server/start.mjs` to its end. */
export async function runStart(
  args: readonly string[],
  env: Record<string, string>,
  attempt = 1,
): Promise<CommandResult> {
  const child = spawn(process.execPath, ["server/start.mjs", ...args], { env: environment(env) });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const code = await new Promise<number>((resolve) => child.once("close", (status) => resolve(status ?? -1)));
  if (code !== 0 && wasTooSlow(stderr) && attempt < MAX_ATTEMPTS) return runStart(args, env, attempt + 1);
  return { code, stdout, stderr };
}

/** Starts a prepared installation, by default like `npm start`, and waits until it is ready. @returns its process id */
export async function launch(
  prepared: Omit<Installation, "pid">,
  command: readonly string[] = ["server/start.mjs"],
  attempt = 1,
): Promise<number> {
  const { folder, env } = prepared;
  const [stdout, stderr] = ["stdout", "stderr"].map((name) => openSync(join(folder, name), "w"));
  // Like `npm start`, so that Sealwatch also stops if its parent dies, for example an interrupted test run.
  const child = spawn(process.execPath, [...command], {
    env: environment({ npm_lifecycle_event: "start", ...env }),
    stdio: ["ignore", stdout, stderr],
  });
  for (const descriptor of [stdout, stderr]) if (descriptor !== undefined) closeSync(descriptor);
  const said = (name: string) => readFileSync(join(folder, name), "utf8");
  await until(
    "Sealwatch says that it is ready",
    () => ended(child) || said("stdout").includes("is ready at"),
    READY_MS,
  );
  if (ended(child) && wasTooSlow(said("stderr")) && attempt < MAX_ATTEMPTS)
    return launch(prepared, command, attempt + 1);
  if (ended(child) || child.pid === undefined) throw new Error(`Sealwatch did not start: ${said("stderr")}`);
  return child.pid;
}

/** Prepares the folder and settings of a separate Sealwatch without starting it. `env` adds or replaces settings. */
export async function prepareSealwatch(env: Record<string, string> = {}): Promise<Omit<Installation, "pid">> {
  const folder = mkdtempSync(join(tmpdir(), "sealwatch-test-"));
  // PostgreSQL refuses to run as root; the account it then gets must be able to pass through.
  chmodSync(folder, 0o711);
  const port = await lastingPort();
  const host = env.HOST ?? "127.0.0.1";
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${port}`,
    port,
    folder,
    env: { PORT: String(port), DATA_DIR: join(folder, "data"), ...env },
  };
}

/**
 * Starts a real Sealwatch like `npm start`, with its own databases and sign-in, and waits until it is ready. Its databases are a
 * copy of the prepared ones, if there are any; `startPrepared` starts without them.
 */
export async function startSealwatch(env: Record<string, string> = {}): Promise<Sealwatch> {
  const prepared = await prepareSealwatch(env);
  const { DATA_DIR, DATABASE_URL } = prepared.env;
  if (DATA_DIR && !DATABASE_URL) copyPreparedData(DATA_DIR);
  return startPrepared(prepared);
}

/** Starts a Sealwatch in a prepared folder, with the files that a test has put there. */
export async function startPrepared(prepared: Omit<Installation, "pid">): Promise<Sealwatch> {
  try {
    return new Sealwatch({ ...prepared, pid: await launch(prepared) });
  } catch (error) {
    rmSync(prepared.folder, { recursive: true, force: true });
    throw error;
  }
}
