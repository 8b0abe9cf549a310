import { readFileSync } from "node:fs";
import type { Sealwatch } from "@/e2e/support/servers/sealwatch";

/** Resident memory of a server's web process, in MiB. Linux only. */
export function webMemory(server: Sealwatch): number {
  const status = readFileSync(`/proc/${server.pids().web}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}
