import { inject } from "vitest";
import { type Installation, Sealwatch } from "@/e2e/support/servers/sealwatch";

declare module "vitest" {
  interface ProvidedContext {
    sealwatch: Installation;
  }
}

/** The server that most suites share. A suite that kills, fills or stops parts starts its own. */
export function sharedServer(): Sealwatch {
  return new Sealwatch(inject("sealwatch"));
}
