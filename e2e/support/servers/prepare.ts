import { prepareData } from "@/e2e/support/servers/prepared-data";
import { runStart } from "@/e2e/support/servers/sealwatch";

/** Runs once before suites that start servers of their own: the build, and the databases that these begin with. */
export default async function setup(): Promise<() => void> {
  const { code, stderr } = await runStart(["--build-only"], {});
  if (code !== 0) throw new Error(stderr);
  return prepareData();
}
