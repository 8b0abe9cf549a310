import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

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
          include: ["e2e/{api,audit,conformance,faults}/**/*.test.ts"],
          // Of the test processes themselves, which run verbs beside the server; its own log is in its output.
          env: { LOG_LEVEL: "silent" },
          globalSetup: ["e2e/support/start-shared.ts"],
          // These wait more than they work, some for a whole minute.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
          testTimeout: 300_000,
          hookTimeout: 420_000,
        },
      },
    ],
  },
});
