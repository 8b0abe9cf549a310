import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stringify } from "yaml";
import { lastingPort } from "@/e2e/support/servers/lasting-port";
import { findProgram } from "@/e2e/support/servers/program";
import { until } from "@/e2e/support/until";

const PROGRAM = findProgram(["prometheus"]);

/** Whether this machine has Prometheus (Debian's `prometheus`). */
export const hasPrometheus = PROGRAM !== undefined;

export interface Series {
  metric: Record<string, string>;
  values: [at: number, value: string][];
}

interface Options {
  /** Addresses of metrics ports, such as `127.0.0.1:9464`. */
  targets: string[];
  /** The text of a file of rules. */
  rules: string;
  scrapeSeconds: number;
}

/** A real Prometheus on loopback, with its data in a temporary folder. */
export class Prometheus {
  private constructor(
    private readonly url: string,
    private readonly folder: string,
    private readonly process: ChildProcess,
  ) {}

  static async start({ targets, rules, scrapeSeconds }: Options): Promise<Prometheus> {
    const folder = mkdtempSync(join(tmpdir(), "sealwatch-prometheus-"));
    const port = await lastingPort();
    writeFileSync(join(folder, "rules.yaml"), rules);
    const every = `${scrapeSeconds}s`;
    const config = {
      global: { scrape_interval: every, scrape_timeout: every, evaluation_interval: every },
      rule_files: ["rules.yaml"],
      scrape_configs: [{ job_name: "sealwatch", static_configs: [{ targets }] }],
    };
    writeFileSync(join(folder, "prometheus.yaml"), stringify(config));
    const args = {
      "config.file": join(folder, "prometheus.yaml"),
      "storage.tsdb.path": join(folder, "data"),
      "web.listen-address": `127.0.0.1:${port}`,
    };
    const child = spawn(
      PROGRAM ?? "",
      Object.entries(args).map(([name, value]) => `--${name}=${value}`),
      { stdio: "ignore" },
    );
    process.once("exit", () => child.kill("SIGKILL"));
    const prometheus = new Prometheus(`http://127.0.0.1:${port}`, folder, child);
    await until("Prometheus is ready", async () => (await fetch(`${prometheus.url}/-/ready`)).ok);
    return prometheus;
  }

  private async get<Data>(path: string, params: Record<string, string> = {}): Promise<Data> {
    const answer = await fetch(`${this.url}/api/v1/${path}?${new URLSearchParams(params)}`);
    const { status, error, data } = (await answer.json()) as { status: string; error?: string; data: Data };
    if (status !== "success") throw new Error(`${params.query ?? path}: ${error}`);
    return data;
  }

  /** The series of a query over a time, in Unix seconds. Throws if the query is invalid. */
  async range(query: string, from: number, to: number, stepSeconds: number): Promise<Series[]> {
    const params = { query, start: String(from), end: String(to), step: String(stepSeconds) };
    return (await this.get<{ result: Series[] }>("query_range", params)).result;
  }

  /** The names of the alerts that fire now. */
  async firing(): Promise<string[]> {
    interface Alert {
      labels: { alertname: string };
      state: string;
    }
    const { alerts } = await this.get<{ alerts: Alert[] }>("alerts");
    const names = alerts.filter(({ state }) => state === "firing").map(({ labels }) => labels.alertname);
    return [...new Set(names)].sort();
  }

  /** The health of each rule: `ok`, `err`, or `unknown` before its first evaluation. */
  async rules(): Promise<{ name: string; health: string; lastError?: string }[]> {
    const { groups } = await this.get<{ groups: { rules: { name: string; health: string }[] }[] }>("rules");
    return groups.flatMap(({ rules }) => rules);
  }

  async stop(): Promise<void> {
    const gone = new Promise((resolve) => this.process.once("close", resolve));
    this.process.kill("SIGKILL");
    await gone;
    rmSync(this.folder, { recursive: true, force: true });
  }
}
