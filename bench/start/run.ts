import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { buildBare, startBare } from "@/bench/api/peers";
import { ms, percentile, row } from "@/bench/measure";
import { type Sealwatch, startSealwatch } from "@/e2e/support/servers/sealwatch";

const median = (values: readonly number[]) => percentile(values, 0.5);

async function took(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function runNode(...args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: "ignore" });
    child.once("error", reject);
    child.once("exit", (code) => (code === 0 ? resolve() : reject(new Error(`${args.join(" ")} ended with ${code}`))));
  });
}

/** Processor seconds that a process has used, its threads included (Linux). */
function busy(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  // In ticks: /proc has 100 per second, whatever the kernel's own rate.
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Resident memory of a process, in MiB (Linux). */
function memory(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}

const mib = (value: number) => `${Math.round(value)} MiB`;

/** Memory and processor time of each process of a Sealwatch that has just become ready. */
function processes(server: Sealwatch): { name: string; memory: number; busy: number }[] {
  const { supervisor, web, worker } = server.pids();
  return Object.entries({ supervisor, web, worker }).flatMap(([name, pid]) =>
    pid === undefined ? [] : [{ name, memory: memory(pid), busy: busy(pid) }],
  );
}

/**
 * Measures the duration of a prepared start and of a command, and the memory of the processes, compared with `node -e 0` and
 * `next start` of an application with one route. They take turns, so that other load on the machine affects all of them.
 */
export async function startBench(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { rounds: { type: "string", default: "7" } } });
  const rounds = Number(values.rounds);
  const folder = mkdtempSync(join(tmpdir(), "sealwatch-bench-"));
  const answer = join(folder, "answer.json");
  writeFileSync(answer, "{}");
  const times = { node: [], command: [], next: [], start: [] } as Record<
    "node" | "command" | "next" | "start",
    number[]
  >;
  const held = new Map<string, { memory: number[]; busy: number[] }>();
  const note = (name: string, measured: { memory: number; busy: number }) => {
    const known = held.get(name) ?? { memory: [], busy: [] };
    held.set(name, known);
    known.memory.push(measured.memory);
    known.busy.push(measured.busy);
  };
  await buildBare(answer);
  const server = await startSealwatch();
  try {
    for (let round = 0; round < rounds; round++) {
      times.node.push(await took(() => runNode("-e", "0")));
      times.command.push(await took(() => server.cli("org", "list")));
      await server.stop();
      times.start.push(await took(() => server.start()));
      for (const { name, ...measured } of processes(server)) note(name, measured);
      const beforeNext = performance.now();
      const peer = await startBare("next start", answer);
      times.next.push(performance.now() - beforeNext);
      note("next start", { memory: memory(peer.pid), busy: busy(peer.pid) });
      await peer.stop();
    }
  } finally {
    await server.destroy();
    rmSync(folder, { recursive: true, force: true });
  }
  const [load = 0] = loadavg();
  process.stdout.write(`${cpus().length} cores, load ${load.toFixed(1)}; medians of ${rounds} rounds\n\n`);
  const ratio = (a: number[], b: number[]) => (median(a) / median(b)).toFixed(1);
  row("what", "median", "ratio", "target");
  row("---", "---:", "---:", "---:");
  row("`node -e 0`", ms(median(times.node)), "", "");
  row(
    "a command while a server runs",
    ms(median(times.command)),
    `${ratio(times.command, times.node)} × node`,
    "600 ms",
  );
  row("`next start` of an empty application", ms(median(times.next)), "", "");
  row("a prepared `npm start`", ms(median(times.start)), `${ratio(times.start, times.next)} × next`, "5,000 ms");
  process.stdout.write("\n");
  row("process, when ready", "memory", "processor", "target");
  row("---", "---:", "---:", "---:");
  for (const [name, { memory, busy }] of held)
    row(name, mib(median(memory)), `${median(busy).toFixed(2)} s`, name === "web" ? "200 MiB" : "");
}
