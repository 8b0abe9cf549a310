import { resolve } from "node:path";

/** The environment of a server without effective rate limits. */
export const liftedLimits = { NODE_OPTIONS: `--import ${resolve("e2e/support/servers/lift-limits.mjs")}` };
