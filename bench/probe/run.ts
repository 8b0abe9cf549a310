import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { measurePace } from "@/bench/probe/pace";
import { measureSchedule } from "@/bench/probe/schedule";
import { startFarm } from "@/bench/probe/start-farm";
import { configure } from "@/lib/config";
import { closeDatabases } from "@/server/database/close-databases";
import { withDatabases } from "@/server/database/databases";

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
  const wants = (name: string) => values.only === undefined || values.only.split(",").includes(name);
  const { farm, stop } = await startFarm(Number(values.certificates));
  try {
    if (wants("pace")) {
      configure({ DATA_DIR: resolve(".data/bench-probe"), PROBE_ALLOWED_NETWORKS: "127.0.0.0/8", LOG_LEVEL: "error" });
      await withDatabases(async () => {
        await measurePace(farm, Number(values.checks), Number(values.rounds)).finally(closeDatabases);
      });
    }
    if (wants("schedule")) await measureSchedule(farm, Number(values.endpoints), Number(values.seconds));
  } finally {
    stop();
  }
}
