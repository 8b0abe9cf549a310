import type { ChildProcess } from "node:child_process";

/** See tied.mjs. */
export function spawnTied(
  args: string[],
  options: { env: Record<string, string>; patienceMs: number; detached: boolean },
): ChildProcess;

/** See tied.mjs. */
export function forkTied(
  flags: string[],
  command: string[],
  options: { env: Record<string, string>; patienceMs: number },
): ChildProcess;
