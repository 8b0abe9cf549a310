import type { TestProject } from "vitest/node";
import prepare from "@/e2e/support/servers/prepare";
import { startWithNeighbours } from "@/e2e/support/servers/start-with-neighbours";

/** The environment variable by which the next project of this run finds the started server. */
const INSTALLATION = "SEALWATCH_SHARED_SERVER";

/** Runs once before the integration suites: prepares the build and the databases that servers copy, and starts the shared server. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const started = process.env[INSTALLATION];
  if (started !== undefined) {
    project.provide("sealwatch", JSON.parse(started));
    return async () => {};
  }
  const removeData = await prepare();
  const { server, destroy } = await startWithNeighbours();
  project.provide("sealwatch", server.plain);
  process.env[INSTALLATION] = JSON.stringify(server.plain);
  return async () => {
    await destroy();
    removeData();
  };
}
