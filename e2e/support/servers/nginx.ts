import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findProgram } from "@/e2e/support/servers/program";
import { until } from "@/e2e/support/until";

const NGINX = findProgram(["nginx", "/usr/sbin/nginx"], "-v");

/** Whether this machine has nginx. Without it, its configuration in the documentation is not tested. */
export const hasNginx = NGINX !== undefined;

/** The configuration in docs/operations/production.md, for these ports of loopback. */
function configuration(port: number, upstreams: readonly number[]): string {
  const shown = /```nginx\n([\s\S]+?)```/.exec(readFileSync("docs/operations/production.md", "utf8"))?.[1];
  if (shown === undefined) throw new Error("docs/operations/production.md shows no configuration of nginx");
  const site = shown.replace(/^.*127\.0\.0\.1:3000.*$/m, (line) =>
    upstreams.map((upstream) => line.replace("3000", String(upstream))).join("\n"),
  );
  const [upstream = "", location = ""] = site.split(/(?=^ *location )/m);
  return `daemon off; worker_processes 1; pid nginx.pid; error_log error.log;
events { worker_connections 512; }
http {
  access_log off;
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
  ) {}

  static async start(port: number, upstreams: readonly number[]): Promise<Nginx> {
    const folder = mkdtempSync(join(tmpdir(), "sealwatch-nginx-"));
    writeFileSync(join(folder, "nginx.conf"), configuration(port, upstreams));
    const child = spawn(NGINX ?? "", ["-p", folder, "-c", "nginx.conf", "-e", "error.log"], { stdio: "ignore" });
    process.once("exit", () => child.kill());
    const nginx = new Nginx(`http://127.0.0.1:${port}`, folder, child);
    await until("nginx answers", async () => (await fetch(nginx.url)).status > 0);
    return nginx;
  }

  async stop(): Promise<void> {
    const gone = new Promise((resolve) => this.process.once("close", resolve));
    this.process.kill();
    await gone;
    rmSync(this.folder, { recursive: true, force: true });
  }
}
