import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { inputs } from "@/bench/input/inputs";
import { makeKeys } from "@/bench/keys";
import { ms, row } from "@/bench/measure";
import { withKey } from "@/e2e/support/api";
import { liftedLimits } from "@/e2e/support/servers/lifted-limits";
import { startSealwatch } from "@/e2e/support/servers/sealwatch";
import { until } from "@/e2e/support/until";
import { newId } from "@/lib/ids";

/** Time for the process to become idle and write its measurement, in milliseconds. */
const SETTLE_MS = 500;

/**
 * Sends each hostile input to a running server several times, and prints the longest time that one turn of its event loop kept the
 * main thread busy: the longest wait of every other request.
 */
export async function inputBench(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { rounds: { type: "string", default: "5" }, only: { type: "string", multiple: true } },
  });
  const folder = mkdtempSync(join(tmpdir(), "sealwatch-bench-"));
  const file = join(folder, "longest");
  const server = await startSealwatch({
    BENCH_LOOP_FILE: file,
    NODE_OPTIONS: `${liftedLimits.NODE_OPTIONS} --import ${resolve("bench/input/loop-monitor.mjs")}`,
  });
  try {
    const [secret = ""] = await makeKeys(server.databases.app, newId(), 1);
    const api = withKey(server, secret);
    const measured = async (work: () => Promise<unknown>) => {
      rmSync(file, { force: true });
      await until("the monitor has restarted", () => existsSync(file));
      await work();
      await delay(SETTLE_MS);
      return Number(readFileSync(file, "utf8"));
    };
    // Once, so that all code is compiled.
    for (let n = 0; n < 50; n++) await api.post("/uptime/bulk", { items: [{ name: "x" }], dry_run: true });
    row("input", "bytes", "answer", "longest turn, median", "longest turn, worst");
    row("---", "---:", "---:", "---:", "---:");
    row("none", 0, "", ms(await measured(() => delay(SETTLE_MS))), "");
    for (const { name, method, path, headers = {}, body } of inputs) {
      if (values.only !== undefined && !values.only.some((text) => name.includes(text))) continue;
      const turns: number[] = [];
      let status = 0;
      for (let round = 0; round < Number(values.rounds); round++) {
        const turn = await measured(async () => {
          status = (await api.request(method, path, body ?? undefined, { headers })).status;
        });
        turns.push(turn);
      }
      turns.sort((a, b) => a - b);
      row(name, body?.length ?? 0, status, ms(turns[Math.floor(turns.length / 2)] ?? 0), ms(turns.at(-1) ?? 0));
    }
  } finally {
    await server.destroy();
    rmSync(folder, { recursive: true });
  }
}
