import { format, stripVTControlCharacters } from "node:util";
import { logFailure } from "@/lib/db/outage-log";
import { log } from "@/lib/log";

const levels = { debug: "debug", log: "info", info: "info", warn: "warn", error: "error" } as const;

/**
 * Makes lines of the log out of what packages and Node itself say, so that standard error of a process that serves is JSON only: Next
 * writes to the console, Node warns and dies in plain text.
 */
export function outputJson(): void {
  for (const [method, level] of Object.entries(levels)) {
    Object.defineProperty(console, method, {
      value: (...words: unknown[]) => {
        const error = words.find((word) => word instanceof Error);
        const rest = words.filter((word) => word !== error);
        const text = stripVTControlCharacters(format(...rest)).trim();
        if (error !== undefined && level === "error") logFailure(text || "something failed", error);
        else log[level]({ err: error }, text);
      },
      writable: true,
      configurable: true,
    });
  }
  process.removeAllListeners("warning");
  process.on("warning", (warning) => log.warn({ err: warning }, "Node.js warns"));
  process.on("uncaughtException", (error) => {
    log.fatal({ err: error }, "the process cannot go on");
    process.exit(1);
  });
}
