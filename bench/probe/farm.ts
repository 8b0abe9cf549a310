import { createSecureContext } from "node:tls";
import { makeAuthority } from "@/e2e/support/stand-ins/test-certificates";
import { serveTcp, serveTls } from "@/e2e/support/stand-ins/test-servers";

/** Servers in a separate process, so that their work does not count as the probe's. Sent to the parent once they listen. */
export interface Farm {
  /** TLS at every address of 127.0.0.0/8. */
  port: number;
  /** Accepts connections at the same addresses and never sends anything. */
  hangingPort: number;
  /** Names, each with its own certificate. */
  names: string[];
  /** The root of all certificates, in PEM. */
  root: string;
}

/** The number of certificates, each with its own name. */
const NAMES = Number(process.argv[2]);

const authority = await makeAuthority("Farm");
const names = Array.from({ length: NAMES }, (_, n) => `host-${n}.farm.test`);
const leaves = await Promise.all(names.map((name) => authority.leaf({ name, sans: [name] })));
const contexts = new Map(
  leaves.map((leaf) => [
    leaf.name,
    createSecureContext({ key: leaf.keyPem, cert: leaf.pem + authority.intermediate.pem }),
  ]),
);
const { port } = await serveTls(
  leaves.slice(0, 1),
  { SNICallback: (name, done) => done(null, contexts.get(name)) },
  "0.0.0.0",
);
const { port: hangingPort } = await serveTcp(() => {}, "0.0.0.0");
process.send?.({ port, hangingPort, names, root: authority.root.pem } satisfies Farm);
process.on("disconnect", () => process.exit(0));
