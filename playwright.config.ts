import { defineConfig } from "@playwright/test";
import { findBrowser } from "./e2e/support/browser";

export default defineConfig({
  testDir: "e2e/journeys",
  globalSetup: "./e2e/support/start-journeys.ts",
  workers: 2,
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  retries: 0,
  timeout: 300_000,
  expect: { timeout: 30_000 },
  reporter: [["list"]],
  use: { launchOptions: await findBrowser(), locale: "en-GB", timezoneId: "UTC", trace: "retain-on-failure" },
});
