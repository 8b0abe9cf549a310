import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { measurePace } from "@/bench/probe/pace";
import { measureSchedule } from "@/bench/probe/schedule";
import { startFarm } from "@/bench/probe/start-farm";
import { configure } from "@/lib/config";
import { closeDatabases } from "@/server/database/close-databases";
import { withDatabases } from "@/server/database/databases";

const PARTS = ["pace", "schedule"];

/** Measures certificate checks against a local farm of TLS servers: their cost, and how a worker keeps up with many endpoints. */
export async function probeBench(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: "string" },
      checks: { type: "string", default: "4000" },
      certificates: { type: "string", default: "1000" },
      rounds: { type: "string", default: "3" },
      endpoints: { type: "string", default: "100000" },
      seconds: { type: "string", default: "120" },
    },
  });
  if (values.only === undefined) return runApart(args);
  const only = values.only.split(",");
  const { farm, stop } = await startFarm(Number(values.certificates));
  try {
    if (only.includes("pace")) {
      configure({ DATA_DIR: resolve(".data/bench-probe"), PROBE_ALLOWED_NETWORKS: "127.0.0.0/8", LOG_LEVEL: "error" });
      await withDatabases(async () => {
        await measurePace(farm, Number(values.checks), Number(values.rounds)).finally(closeDatabases);
      });
    }
    if (only.includes("schedule")) await measureSchedule(farm, Number(values.endpoints), Number(values.seconds));
  } finally {
    stop();
  }
}

/** Each part in a process of its own, because a process has one configuration and one set of pools. */
function runApart(args: string[]): void {
  const bench = process.argv.slice(1, process.argv.length - args.length);
  for (const part of PARTS) {
    const command = [...process.execArgv, ...bench, ...args, "--only", part];
    const { status } = spawnSync(process.execPath, command, { stdio: "inherit" });
    if (status !== 0) throw new Error(`the measurement of ${part} failed`);
  }
}
