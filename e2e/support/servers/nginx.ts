import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findProgram } from "@/e2e/support/servers/program";
import { until } from "@/e2e/support/until";

const NGINX = findProgram(["nginx", "/usr/sbin/nginx"], "-v");

/** Whether this machine has nginx. Without it, its configuration in the documentation is not tested. */
export const hasNginx = NGINX !== undefined;

/** The configuration in docs/operations/production.md, for these ports of loopback. Without the one that is `down`. */
function configuration(port: number, upstreams: readonly number[], down?: number): string {
  const shown = /```nginx\n([\s\S]+?)```/.exec(readFileSync("docs/operations/production.md", "utf8"))?.[1];
  if (shown === undefined) throw new Error("docs/operations/production.md shows no configuration of nginx");
  const site = shown.replace(/^.*127\.0\.0\.1:3000.*$/m, (line) =>
    upstreams
      .map((upstream) => line.replace("3000", String(upstream)).replace(";", upstream === down ? " down;" : ";"))
      .join("\n"),
  );
  const [upstream = "", location = ""] = site.split(/(?=^ *location )/m);
  return `daemon off; worker_processes 1; pid nginx.pid; error_log error.log;
events { worker_connections 512; }
http {
  access_log off;
  # A reload closes idle connections of clients, perhaps while one sends its next request.
  keepalive_timeout 0;
  ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((kind) => `${kind}_temp_path ${kind};`).join(" ")}
  ${upstream}
  server { listen 127.0.0.1:${port}; ${location} }
}
`;
}

/** nginx with the configuration of the documentation, on a free port of loopback. */
export class Nginx {
  private constructor(
    readonly url: string,
    private readonly folder: string,
    private readonly process: ChildProcess,
    private readonly configured: (down?: number) => string,
  ) {}

  static async start(port: number, upstreams: readonly number[]): Promise<Nginx> {
    const folder = mkdtempSync(join(tmpdir(), "sealwatch-nginx-"));
    const configured = (down?: number) => configuration(port, upstreams, down);
    writeFileSync(join(folder, "nginx.conf"), configured());
    const child = spawn(NGINX ?? "", ["-p", folder, "-c", "nginx.conf", "-e", "error.log"], { stdio: "ignore" });
    process.once("exit", () => child.kill());
    const nginx = new Nginx(`http://127.0.0.1:${port}`, folder, child, configured);
    await until("nginx answers", async () => (await fetch(nginx.url)).status > 0);
    return nginx;
  }

  /** Sends requests to every upstream but this one, if any. Resolves when those that it got before are answered. */
  async leaveOut(upstream?: number): Promise<void> {
    const before = this.workers();
    writeFileSync(join(this.folder, "nginx.conf"), this.configured(upstream));
    this.process.kill("SIGHUP");
    await until("the workers before are gone", () => {
      const now = this.workers();
      return now.length > 0 && !before.some((worker) => now.includes(worker));
    });
  }

  /** The ids of its worker processes. */
  private workers(): string[] {
    const children = readFileSync(`/proc/${this.process.pid}/task/${this.process.pid}/children`, "utf8");
    return children.split(" ").filter((id) => id !== "");
  }

  async stop(): Promise<void> {
    const gone = new Promise((resolve) => this.process.once("close", resolve));
    this.process.kill();
    await gone;
    rmSync(this.folder, { recursive: true, force: true });
  }
}
