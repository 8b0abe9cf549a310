import type { ClientCertificate } from "@/lib/uptime/authentication";

/** Judgements of fields that need Node.js, the configuration, or a library too large for the browser, which loads the contract too. */
interface ServerChecks {
  /** Why a regular expression cannot be used; null if it can. */
  pattern: (pattern: string) => string | null;
  /** Why an address must not be checked; null if it may. Names are judged when they are resolved. */
  host: (host: string) => string | null;
  clientCertificate: (given: ClientCertificate) => { path: keyof ClientCertificate; message: string }[];
}

let checks: ServerChecks = { pattern: () => null, host: () => null, clientCertificate: () => [] };

/** The judgements of this process; in a browser they find nothing, and the API judges. */
export function serverChecks(): ServerChecks {
  return checks;
}

/** Called by the verbs' module, so that wherever a monitor can be changed, its fields are judged. */
export function provideServerChecks(provided: ServerChecks): void {
  checks = provided;
}
