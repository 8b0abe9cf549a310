import { readFileSync } from "node:fs";

/** A percentile of measured values, by nearest rank. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

const LONG_MS = 1_000;

/** The durations of `work` in milliseconds, `times` in a row after two warm-ups. A slow warm-up is used as the measurement. */
export async function time(
  times: number,
  work: () => Promise<unknown>,
  clock: () => number = () => performance.now(),
): Promise<number[]> {
  const taken: number[] = [];
  for (let round = -2; round < times; round++) {
    const started = clock();
    await work();
    const passed = clock() - started;
    if (passed > LONG_MS) return [passed];
    if (round >= 0) taken.push(passed);
  }
  return taken;
}

export const ms = (value: number) => `${value.toFixed(value < 10 ? 1 : 0)} ms`;

/** A row of results, as Markdown. */
export function row(...cells: (string | number)[]): void {
  process.stdout.write(`| ${cells.join(" | ")} |\n`);
}

/** The current memory of a process in MiB, as Linux counts it. */
export function memoryOf(pid: number): number {
  const [, kib = "0"] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kib) / 1024;
}
