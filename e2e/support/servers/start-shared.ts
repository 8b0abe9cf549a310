import type { TestProject } from "vitest/node";
import prepare from "@/e2e/support/servers/prepare";
import { startWithNeighbours } from "@/e2e/support/servers/start-with-neighbours";

/** Tells the next project of this run that the server is there. */
const INSTALLATION = "SEALWATCH_SHARED_SERVER";

/** Runs once before the integration suites: the build, the databases that servers begin with, and the server they share. */
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
