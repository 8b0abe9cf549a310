import type { ChildProcess } from "node:child_process";

/** See tied.mjs. */
export function spawnTied(
  args: string[],
  options: { env: Record<string, string>; graceMs: number; detached: boolean },
): ChildProcess;
