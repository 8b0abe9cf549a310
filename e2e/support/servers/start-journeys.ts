import { INSTALLATION } from "@/e2e/support/journey";
import prepare from "@/e2e/support/servers/prepare";
import { startSealwatch } from "@/e2e/support/servers/sealwatch";
import { startSmallInternet } from "@/e2e/support/stand-ins/small-internet";

/** Runs once before the journeys: the build, the databases that servers begin with, and the server they share. */
export default async function setup(): Promise<() => Promise<void>> {
  const removeData = await prepare();
  const internet = await startSmallInternet();
  const server = await startSealwatch({
    ...internet.settings,
    PROBE_ALLOWED_NETWORKS: "127.0.0.0/8,::1/128",
    // Lets the programs of a journey come from addresses of their own.
    TRUSTED_PROXIES: "127.0.0.1/32",
  });
  process.env[INSTALLATION] = JSON.stringify(server.plain);
  return async () => {
    await server.destroy();
    internet.close();
    removeData();
  };
}
