import { execFile } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import { searchPath } from "@/lib/config";

/** What `ping` measured. */
interface Pinged {
  sent: number;
  received: number;
  /** The average round trip in milliseconds; null without a reply. */
  averageMs: number | null;
  /** The program's output. */
  output: string;
}

/** `ping` could not be run, or said nothing about packets. The message is its own. */
export class PingFailed extends Error {}

const MAX_OUTPUT_BYTES = 16_384;

/** The path of the machine's `ping`; null if there is none. */
export function findPing(): string | null {
  const paths = searchPath().map((folder) => join(folder, "ping"));
  return paths.find(isExecutable) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Reads the statistics that iputils and BusyBox print; null if there are none. */
export function parsePing(output: string): Pinged | null {
  const [, sent, received] = /(\d+) packets transmitted, (\d+) (?:packets )?received/.exec(output) ?? [];
  if (sent === undefined || received === undefined) return null;
  const [, average] = /^(?:rtt|round-trip) min\/avg\/max\S* = [\d.]+\/([\d.]+)\//m.exec(output) ?? [];
  return { sent: Number(sent), received: Number(received), averageMs: average ? Number(average) : null, output };
}

/**
 * Sends `count` packets to an address that was checked before, one per second, and waits `waitSeconds` for replies to the last. Takes
 * no name, so that nothing is resolved again. Rejects with PingFailed, or with the signal's reason after it killed the program.
 */
export function ping(
  address: string,
  { count, waitSeconds, signal }: { count: number; waitSeconds: number; signal: AbortSignal },
): Promise<Pinged> {
  const program = findPing();
  if (program === null) return Promise.reject(new PingFailed("ping is not installed"));
  const args = ["-n", "-q", "-c", String(count), "-W", String(waitSeconds), address];
  // Nothing else of the environment, which has secrets.
  const options = {
    env: { NODE_ENV: "production", LC_ALL: "C" },
    maxBuffer: MAX_OUTPUT_BYTES,
    killSignal: "SIGKILL",
    signal,
  } as const;
  return new Promise((resolve, reject) => {
    execFile(/*turbopackIgnore: true*/ program, args, options, (error, output, complaint) => {
      if (signal.aborted) return reject(signal.reason);
      const pinged = parsePing(output);
      if (pinged !== null) return resolve(pinged);
      reject(new PingFailed(complaint.trim() || error?.message || "ping said nothing"));
    });
  });
}
