import { readFileSync } from "node:fs";
import { pool } from "@/lib/db/app";

/** Processor time in milliseconds. */
export interface Usage {
  worker: number;
  postgres: number;
}

/** The processes of PostgreSQL that work for the jobs of this process. */
async function backends(): Promise<number[]> {
  const { rows } = await pool("health").query<{ pid: number }>(
    "SELECT pid FROM pg_stat_activity WHERE application_name = 'sealwatch job'",
  );
  return rows.map(({ pid }) => pid);
}

/** Reads the processor time of this process and of its jobs' connections, new ones from their start. Linux only. */
export async function usageClock(): Promise<() => Promise<Usage>> {
  const seen = new Map<number, number>((await backends()).map((pid) => [pid, timeOf(pid)]));
  let postgres = 0;
  return async () => {
    const { user, system } = process.cpuUsage();
    const worker = (user + system) / 1e3;
    for (const pid of await backends()) {
      const now = timeOf(pid);
      postgres += now - (seen.get(pid) ?? 0);
      seen.set(pid, now);
    }
    return { worker, postgres };
  };
}

function timeOf(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ", 1)[0]) / 1e6;
  } catch {
    return 0;
  }
}
