import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { lastingPort } from "@/e2e/support/servers/lasting-port";
import { findProgram } from "@/e2e/support/servers/program";
import { until } from "@/e2e/support/until";

const SERVER = findProgram(["redis-server", "valkey-server"]);

/** Whether this machine has a Redis or Valkey server to start. Without one, tests of the shared store are skipped. */
export const hasRedis = SERVER !== undefined;

/** A real Redis on a free port of loopback, without persistence. */
export class RedisServer {
  private readonly folder = mkdtempSync(join(tmpdir(), "sealwatch-redis-"));
  private process: ChildProcess | undefined;
  /** A client for inspection, separate from the tested ones. */
  readonly client: Redis;

  constructor(private readonly port: number) {
    this.client = new Redis(this.url, { lazyConnect: true });
    this.client.on("error", () => {});
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Starts it empty, always on the same port. */
  async start(): Promise<void> {
    const settings = { port: this.port, bind: "127.0.0.1", save: "", appendonly: "no", dir: this.folder };
    const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
    this.process = spawn(SERVER ?? "", args, { stdio: "ignore" });
    await until("Redis answers", async () => (await this.client.ping()) === "PONG");
  }

  /** Stops it from answering until `resume`, while connections stay open. */
  pause(): void {
    this.process?.kill("SIGSTOP");
  }

  resume(): void {
    this.process?.kill("SIGCONT");
  }

  /** `kill -9`: its data is lost. */
  async kill(): Promise<void> {
    const gone = new Promise((resolve) => this.process?.once("close", resolve));
    this.process?.kill("SIGKILL");
    await gone;
  }

  async destroy(): Promise<void> {
    this.client.disconnect();
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export async function startRedis(): Promise<RedisServer> {
  const redis = new RedisServer(await lastingPort());
  await redis.start();
  return redis;
}
