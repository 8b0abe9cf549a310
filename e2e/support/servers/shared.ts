import { inject } from "vitest";
import { type Installation, Sealwatch } from "@/e2e/support/servers/sealwatch";

declare module "vitest" {
  interface ProvidedContext {
    sealwatch: Installation;
  }
}

/** The server that the ordinary suites share. Whoever kills, fills or stops things starts one of their own. */
export function sharedServer(): Sealwatch {
  return new Sealwatch(inject("sealwatch"));
}
