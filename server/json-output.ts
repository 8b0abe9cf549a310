import { format, stripVTControlCharacters } from "node:util";
import { logFailure } from "@/lib/db/outage-log";
import { log } from "@/lib/log";

const levels = { debug: "debug", log: "info", info: "info", warn: "warn", error: "error" } as const;

/**
 * Turns the output of packages and of Node.js into log lines, so that standard error is JSON only while a process serves: Next
 * writes to the console, and Node.js prints warnings and uncaught errors as plain text.
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
  process.on("warning", (warning) => log.warn({ err: warning }, "Node.js warning"));
  process.on("uncaughtException", (error) => {
    log.fatal({ err: error }, "uncaught exception; the process exits");
    process.exit(1);
  });
}
