import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** Of the test processes themselves, which run verbs beside the server; its own log is in its output. */
const QUIET = { LOG_LEVEL: "silent" };
const SERVED = "e2e/{api,audit,conformance,faults}/**/*";

export default defineConfig({
  resolve: { alias: { "@": fileURLToPath(new URL(".", import.meta.url)).replace(/\/$/, "") } },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["{lib,server,components}/**/*.test.{ts,tsx}"],
          // Properties of some hundred runs take long where others use the machine as well.
          testTimeout: 20_000,
        },
      },
      {
        extends: true,
        test: {
          name: "integration",
          include: [`${SERVED}.test.ts`],
          exclude: [`${SERVED}.long.test.ts`],
          env: QUIET,
          globalSetup: ["e2e/support/start-shared.ts"],
          // These wait more than they work, some for a whole minute.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
          testTimeout: 300_000,
          hookTimeout: 420_000,
        },
      },
      {
        extends: true,
        test: {
          name: "long",
          include: [`${SERVED}.long.test.ts`],
          env: QUIET,
          globalSetup: ["e2e/support/start-shared.ts"],
          // Each fills a machine by itself: large amounts, many kills, many requests.
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
          testTimeout: 900_000,
          hookTimeout: 900_000,
        },
      },
    ],
  },
});
