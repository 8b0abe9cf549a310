import { spawn } from "node:child_process";
import type { Farm } from "@/bench/probe/farm";

/** Starts the farm with the given number of certificates. */
export async function startFarm(certificates: number): Promise<{ farm: Farm; stop: () => void }> {
  const child = spawn(process.execPath, ["--import", "tsx", "bench/probe/farm.ts", String(certificates)], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const farm = await new Promise<Farm>((resolve, reject) => {
    child.once("message", (message) => resolve(message as Farm));
    child.once("exit", (code) => reject(new Error(`the farm ended with ${code}`)));
  });
  return { farm, stop: () => child.kill("SIGKILL") };
}
