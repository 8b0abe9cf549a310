import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { lastingPort } from "@/e2e/support/servers/lasting-port";
import { copyPreparedData } from "@/e2e/support/servers/prepared-data";
import { alive, familyOf, killNow, signal } from "@/e2e/support/servers/processes";
import { until } from "@/e2e/support/until";
import { loadSecrets, prepareDataDir } from "@/server/data-dir";
import { type EmbeddedPostgres, ensurePostgres } from "@/server/embedded/postgres";
import { readPostmaster } from "@/server/embedded/postgres-process";
import { embeddedUrls, superuserUrl } from "@/server/embedded/roles";

/** A separate PostgreSQL, like an operator's, which a test can stop, freeze and start again on the same port. */
export class Cluster {
  private constructor(
    private readonly folder: string,
    private readonly password: string,
    private postgres: EmbeddedPostgres,
  ) {}

  /** Its two databases are migrated if there are prepared ones to copy and unless `migrated` is false, otherwise empty. */
  static async create({ migrated = true } = {}): Promise<Cluster> {
    const parent = mkdtempSync(join(tmpdir(), "sealwatch-cluster-"));
    // PostgreSQL refuses to run as root; the account it then gets must be able to pass through.
    chmodSync(parent, 0o711);
    const folder = join(parent, "data");
    if (!migrated || !copyPreparedData(folder)) prepareDataDir(folder);
    const { database_password } = loadSecrets(folder);
    const cluster = new Cluster(
      folder,
      database_password,
      await ensurePostgres(folder, database_password, { port: await lastingPort() }),
    );
    // It is not a child process, so an interrupted test run would leave it behind.
    process.once("exit", () => cluster.pid && killNow(cluster.pid));
    return cluster;
  }

  /** By TCP, as an operator's is reached. */
  private get urls() {
    return embeddedUrls({ port: this.postgres.port, socketFolder: "" }, this.password);
  }

  /** URL of one of its two databases, for the role that owns it. */
  url(database: "app" | "audit"): string {
    const { DATABASE_URL, AUDIT_MAINTENANCE_DATABASE_URL } = this.urls;
    return database === "app" ? DATABASE_URL : AUDIT_MAINTENANCE_DATABASE_URL;
  }

  /** URL of its audit database for the role that may only INSERT and SELECT. */
  get auditWebUrl(): string {
    return this.urls.AUDIT_DATABASE_URL;
  }

  /** URL of one of its two databases for the superuser. */
  superuserUrl(database: "app" | "audit"): string {
    return superuserUrl(this.postgres.port, this.password, database);
  }

  /** The id of its main process; 0 if it is not running. */
  private get pid(): number {
    return readPostmaster(join(this.folder, "postgres", "data"))?.pid ?? 0;
  }

  /** Stops it without waiting for its clients, like a service manager. */
  async stop(): Promise<void> {
    const { pid } = this;
    if (pid === 0) return;
    process.kill(pid, "SIGINT");
    await until("the cluster has stopped", () => alive([pid]).length === 0);
  }

  /** Starts it again on the same port. */
  async start(): Promise<void> {
    const { port } = this.postgres;
    this.postgres = await ensurePostgres(this.folder, this.password, { port });
    if (this.postgres.port !== port) throw new Error(`port ${port} was taken meanwhile`);
  }

  /** Freezes it: it accepts connections and does not answer, as behind a broken network. Returns a function that resumes it. */
  freeze(): () => void {
    const main = this.pid;
    if (main === 0) throw new Error("the cluster is not running");
    // Its main process first: it starts no further ones then. Others may end before the signal comes.
    signal(main, "SIGSTOP");
    const pids = familyOf(main).map(({ pid }) => pid);
    if (!pids.includes(main)) throw new Error("the cluster has ended");
    for (const pid of pids) signal(pid, "SIGSTOP");
    return () => {
      for (const pid of pids) signal(pid, "SIGCONT");
    };
  }

  async destroy(): Promise<void> {
    await this.stop();
    rmSync(dirname(this.folder), { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}
