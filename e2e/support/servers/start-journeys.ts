import { INSTALLATION } from "@/e2e/support/journey";
import prepare from "@/e2e/support/servers/prepare";
import { startSealwatch } from "@/e2e/support/servers/sealwatch";
import { startSmallInternet } from "@/e2e/support/stand-ins/small-internet";

/** Runs once before the journeys: prepares the build and the databases that servers copy, and starts the shared server. */
export default async function setup(): Promise<() => Promise<void>> {
  const removeData = await prepare();
  const internet = await startSmallInternet();
  const server = await startSealwatch({
    ...internet.settings,
    PROBE_ALLOWED_NETWORKS: "127.0.0.0/8,::1/128",
    // Lets the programs of a journey use their own addresses.
    TRUSTED_PROXIES: "127.0.0.1/32",
    OPERATORS: "operator@sealwatch.local",
  });
  process.env[INSTALLATION] = JSON.stringify(server.plain);
  return async () => {
    await server.destroy();
    internet.close();
    removeData();
  };
}
