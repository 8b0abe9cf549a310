import type { TestProject } from "vitest/node";
import { runStart, startSealwatch } from "@/e2e/support/sealwatch";

/** Runs once before the integration suites: the build, and the server they share. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { code, stderr } = await runStart(["--build-only"], {});
  if (code !== 0) throw new Error(stderr);
  const server = await startSealwatch({
    // Requests without a key are limited by address: this lets every test have addresses of its own.
    TRUSTED_PROXIES: "127.0.0.1/32",
    PROBE_ALLOWED_NETWORKS: "127.0.0.0/8,::1/128",
  });
  project.provide("sealwatch", server.plain);
  return () => server.destroy();
}
