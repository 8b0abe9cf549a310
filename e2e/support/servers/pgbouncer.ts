import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { lastingPort } from "@/e2e/support/servers/lasting-port";
import { findProgram } from "@/e2e/support/servers/program";
import { until } from "@/e2e/support/until";

const PROGRAM = findProgram(["pgbouncer", "/usr/sbin/pgbouncer"]);

/** Whether this machine has PgBouncer. Without it, tests of poolers are skipped. */
export const hasPgBouncer = PROGRAM !== undefined;

type Setting = "pool_mode" | "default_pool_size" | "server_round_robin";

/** A real PgBouncer on a free port of loopback, in front of the PostgreSQL of some URLs. */
export class PgBouncer {
  private constructor(
    private readonly port: number,
    private readonly folder: string,
    private readonly process: ChildProcess,
  ) {}

  /** Starts it for the roles of `urls`. */
  static async start(urls: readonly string[], settings: Partial<Record<Setting, string | number>>): Promise<PgBouncer> {
    const folder = mkdtempSync(join(tmpdir(), "sealwatch-pgbouncer-"));
    const port = await lastingPort();
    const parsed = urls.map((url) => new URL(url));
    const users = parsed.map(({ username, password }) => `"${username}" "${password}"\n`);
    writeFileSync(join(folder, "users"), [...new Set(users)].join(""));
    const lines = Object.entries({
      listen_addr: "127.0.0.1",
      listen_port: port,
      unix_socket_dir: "",
      auth_type: "scram-sha-256",
      auth_file: join(folder, "users"),
      max_client_conn: 500,
      // As docs/operations/production.md says.
      ...{ tcp_keepalive: 1, tcp_keepidle: 10, tcp_keepintvl: 5, tcp_keepcnt: 3 },
      ...settings,
    }).map(([name, value]) => `${name} = ${value}\n`);
    const server = `* = host=127.0.0.1 port=${parsed[0]?.port}\n`;
    writeFileSync(join(folder, "ini"), `[databases]\n${server}[pgbouncer]\n${lines.join("")}`);
    // It refuses to run as root.
    chmodSync(folder, 0o711);
    const asUser = process.getuid?.() === 0 ? ["-u", "nobody"] : [];
    const child = spawn(PROGRAM ?? "", ["-q", ...asUser, join(folder, "ini")], { stdio: "ignore" });
    process.once("exit", () => child.kill("SIGKILL"));
    const bouncer = new PgBouncer(port, folder, child);
    await until("PgBouncer answers", async () => {
      const client = new pg.Client({ connectionString: bouncer.url(urls[0] ?? "") });
      await client.connect();
      await client.end();
      return true;
    });
    return bouncer;
  }

  /** The URL that leads through the pooler. */
  url(direct: string): string {
    const url = new URL(direct);
    url.port = String(this.port);
    return url.href;
  }

  async stop(): Promise<void> {
    const gone = new Promise((resolve) => this.process.once("close", resolve));
    this.process.kill("SIGKILL");
    await gone;
    rmSync(this.folder, { recursive: true, force: true });
  }
}
