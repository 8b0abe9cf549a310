import { defineConfig } from "playwright/test";
import { findBrowser } from "./e2e/support/browser";
import { isLong } from "./e2e/support/tier";

export default defineConfig({
  testDir: "e2e/journeys",
  // The long tier has the files named so, the tests tagged so, and what does more there. Titles include the file and the tags.
  ...(isLong ? { grep: /\.long\.spec\.ts|@long|accessibility\.spec\.ts/ } : { grepInvert: /\.long\.spec\.ts|@long/ }),
  globalSetup: "./e2e/support/servers/start-journeys.ts",
  workers: 3,
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  retries: 0,
  // Long enough on a machine that others use as well: what is there is waited for no longer than it takes.
  timeout: 600_000,
  expect: { timeout: 60_000 },
  reporter: [["list"]],
  use: {
    launchOptions: await findBrowser(),
    // What moves is waited for and drawn many times; the tests of motion ask for it.
    contextOptions: { reducedMotion: "reduce" },
    locale: "en-GB",
    timezoneId: "UTC",
  },
});
