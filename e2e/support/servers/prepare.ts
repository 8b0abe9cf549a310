import { prepareData } from "@/e2e/support/servers/prepared-data";
import { runStart } from "@/e2e/support/servers/sealwatch";

/** Runs once before suites that start their own servers: prepares the build and the databases that the servers copy. */
export default async function setup(): Promise<() => void> {
  const { code, stderr } = await runStart(["--build-only"], {});
  if (code !== 0) throw new Error(stderr);
  return prepareData();
}
