import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** What a systemd unit of `deploy/systemd` runs, with its settings. */
export interface Unit {
  args: string[];
  env: Record<string, string>;
}

/** Reads a unit. `files` has the settings in its environment files, by path; `state` is the folder for its `StateDirectory`. */
export function readUnit(name: string, files: Record<string, Record<string, string>>, state: string): Unit {
  const text = readFileSync(`deploy/systemd/${name}.service`, "utf8");
  const values = (key: string) => [...text.matchAll(new RegExp(`^${key}=(.*)$`, "gm"))].map(([, value = ""]) => value);
  const [program, ...args] = values("ExecStart")[0]?.split(" ") ?? [];
  if (program !== "/usr/bin/node") throw new Error(`${name} starts ${program}`);
  const own = values("Environment").map((each) => each.replace("%S", state).split(/=(.*)/s).slice(0, 2));
  for (const folder of values("StateDirectory")) mkdirSync(join(state, folder), { mode: 0o700, recursive: true });
  return {
    args,
    env: Object.assign({}, ...values("EnvironmentFile").map((file) => files[file]), Object.fromEntries(own)),
  };
}

/** A started unit. */
export class Service {
  readonly said = { stdout: "", stderr: "" };
  readonly ended: Promise<number | null>;
  private readonly child: ChildProcess;

  constructor({ args, env }: Unit) {
    const { PATH, HOME } = process.env;
    this.child = spawn(process.execPath, args, { env: { NODE_ENV: "production", PATH, HOME, ...env } });
    this.child.stdout?.on("data", (text) => (this.said.stdout += text));
    this.child.stderr?.on("data", (text) => (this.said.stderr += text));
    this.ended = new Promise((resolve) => this.child.once("close", resolve));
    process.once("exit", () => this.child.kill("SIGKILL"));
  }

  async stop(): Promise<number | null> {
    this.child.kill("SIGTERM");
    return this.ended;
  }
}
