import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";

interface Process {
  pid: number;
  parent: number;
  command: string;
}

function read(pid: string): Process[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The fields follow the name, which is in parentheses and may contain anything.
    const [state = "", parent = ""] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (state === "Z" || state === "X") return [];
    const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
    return [{ pid: Number(pid), parent: Number(parent), command }];
  } catch {
    return [];
  }
}

function readWithPs(): Process[] {
  const text = execFileSync("ps", ["-A", "-o", "pid=,ppid=,state=,command="], { encoding: "utf8" });
  return [...text.matchAll(/^ *(\d+) +(\d+) +([^Z\s]\S*) +(.*)$/gm)].map(([, pid, parent, , command = ""]) => ({
    pid: Number(pid),
    parent: Number(parent),
    command,
  }));
}

/** Every running process of this machine; zombies do not count. */
function allProcesses(): Process[] {
  if (!existsSync("/proc/self/stat")) return readWithPs();
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap(read);
}

/** A process and its descendants. Throws for 0 and 1, whose descendants are the whole machine, because callers kill the result. */
export function familyOf(pid: number, all = allProcesses()): Process[] {
  if (!(pid > 1)) throw new Error(`${pid} is not a process of the tests`);
  const below = all.filter(({ parent }) => parent === pid).flatMap((child) => familyOf(child.pid, all));
  return [...all.filter((process) => process.pid === pid), ...below];
}

/** Which of these processes still run. */
export function alive(pids: readonly number[]): number[] {
  // Asked repeatedly: where that is possible, only these are read.
  if (existsSync("/proc/self/stat")) return pids.filter((pid) => read(String(pid)).length > 0);
  const running = new Set(readWithPs().map(({ pid }) => pid));
  return pids.filter((pid) => running.has(pid));
}

/** Sends a signal. It is not an error if the process has already ended. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Kills a process. It is not an error if the process has already ended. */
export function killNow(pid: number): void {
  signal(pid, "SIGKILL");
}
