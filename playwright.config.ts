import { defineConfig } from "playwright/test";
import { findBrowser } from "./e2e/support/browser";

export default defineConfig({
  testDir: "e2e/journeys",
  globalSetup: "./e2e/support/start-journeys.ts",
  workers: 2,
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  retries: 0,
  // Long enough on a machine that others use as well: what is there is waited for no longer than it takes.
  timeout: 600_000,
  expect: { timeout: 60_000 },
  reporter: [["list"]],
  use: { launchOptions: await findBrowser(), locale: "en-GB", timezoneId: "UTC", trace: "retain-on-failure" },
});
