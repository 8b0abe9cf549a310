import type { TestProject } from "vitest/node";
import { prepareData } from "@/e2e/support/prepared-data";
import { runStart, startSealwatch } from "@/e2e/support/sealwatch";
import { startSmallInternet } from "@/e2e/support/small-internet";
import { STRIPE_SETTINGS, startStripe } from "@/e2e/support/stripe";

/** Runs once before the integration suites: the build, the databases that servers begin with, and the server they share. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { code, stderr } = await runStart(["--build-only"], {});
  if (code !== 0) throw new Error(stderr);
  const removeData = await prepareData();
  const stripe = await startStripe();
  const internet = await startSmallInternet();
  const server = await startSealwatch({
    ...internet.settings,
    ...STRIPE_SETTINGS,
    STRIPE_API_URL: stripe.url,
    // Requests without a key are limited by address: this lets every test have addresses of its own.
    TRUSTED_PROXIES: "127.0.0.1/32",
    PROBE_ALLOWED_NETWORKS: "127.0.0.0/8,::1/128",
  });
  project.provide("sealwatch", server.plain);
  return async () => {
    await server.destroy();
    stripe.close();
    internet.close();
    removeData();
  };
}
