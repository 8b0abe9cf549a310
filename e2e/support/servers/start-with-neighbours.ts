import { fork } from "node:child_process";
import { once } from "node:events";
import { type Sealwatch, startSealwatch } from "@/e2e/support/servers/sealwatch";

/** Starts a server with a payment provider and a small internet to monitor, and without forbidden networks. */
export async function startWithNeighbours(
  env: Record<string, string> = {},
): Promise<{ server: Sealwatch; destroy: () => Promise<void> }> {
  // A separate process, because a test runner that is busy answers late.
  const neighbours = fork("e2e/support/stand-ins/neighbours.ts", { execArgv: ["--import", "tsx"] });
  const ended = once(neighbours, "exit").then(([code]) =>
    Promise.reject(new Error(`the neighbours ended with ${code}`)),
  );
  const [settings] = await Promise.race([once(neighbours, "message"), ended]);
  const server = await startSealwatch({
    ...settings,
    // Requests without a key are limited by address, so every test needs its own addresses.
    TRUSTED_PROXIES: "127.0.0.1/32",
    PROBE_ALLOWED_NETWORKS: "127.0.0.0/8,::1/128",
    ...env,
  });
  const destroy = async () => {
    await server.destroy();
    neighbours.disconnect();
  };
  return { server, destroy };
}
