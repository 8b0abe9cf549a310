import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const ROOT = fileURLToPath(new URL(".", import.meta.url)).replace(/\/$/, "");

/** Of the test processes themselves, which run verbs beside the server; its own log is in its output. */
const QUIET = { LOG_LEVEL: "silent" };

const suites = readdirSync("e2e", { recursive: true, encoding: "utf8" })
  .map((path) => `e2e/${path.replaceAll("\\", "/")}`)
  .filter((path) => path.endsWith(".test.ts"))
  .map((path) => ({ path, text: readFileSync(path, "utf8"), isLong: path.endsWith(".long.test.ts") }));

/** Suites that ask in which tier they are do more in the long tier: all their tests, and longer runs. */
const inBothTiers = suites
  .filter(({ isLong, text }) => !isLong && /e2e\/support\/tier(-tests)?"/.test(text))
  .map(({ path }) => path);

/** Suites that use the shared server and configure nothing: they have processes in common too, which load our modules once. */
const inSharedProcesses = suites
  .filter(({ text }) => text.includes("@/e2e/support/servers/shared") && !text.includes("configure("))
  .map(({ path }) => path);

const daily = suites.filter(({ isLong }) => !isLong).map(({ path }) => path);
const long = [...suites.filter(({ isLong }) => isLong).map(({ path }) => path), ...inBothTiers];
const isShared = (path: string) => inSharedProcesses.includes(path);
const isAlone = (path: string) => !isShared(path);

const SHARED_PROCESSES = "-in-shared-processes";

/** Begin first, so that no one of them is waited for at the end. */
const SLOWEST = [
  ...["operations/upgrade", "faults/matrix", "destinations/kills", "operations/node-versions", "faults/soak"],
  ...["organizations/sign-in", "operations/start", "faults/databases-away", "faults/crash", "audit/stream"],
  ...["audit/queries", "audit/retention", "audit/holds.test", "keys/limit-stores"],
];
// The expiry of certificates goes through all organizations, so it comes before there are many.
const SLOWEST_SHARED = [
  "certificates/expiry",
  "conformance/endpoints",
  "conformance/access",
  "keys/keys",
  "alerts/alerts",
  "operations/cli",
];

/** Suites that share processes come last, one after the other: a process in between would not be kept. */
class Sequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification) => {
      const isLast = project.name.endsWith(SHARED_PROCESSES);
      const first = isLast ? SLOWEST_SHARED : SLOWEST;
      const found = first.findIndex((path) => moduleId.includes(path));
      return (isLast ? SLOWEST.length + 1 : 0) + (found < 0 ? first.length : found);
    };
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}

const SLOW = { testTimeout: 300_000, hookTimeout: 420_000 };
const LONG = {
  env: { ...QUIET, TEST_TIER: "long" },
  globalSetup: ["e2e/support/servers/start-shared.ts"],
  // Some fill a machine by themselves: large amounts, many kills, many requests. Others wait.
  maxWorkers: 3,
  sequence: { groupOrder: 2 },
  testTimeout: 900_000,
  hookTimeout: 900_000,
};

export default defineConfig({
  resolve: { alias: { "@": ROOT } },
  test: {
    sequence: { sequencer: Sequencer },
    // A failure says what was found: in continuous integration only its message is kept.
    chaiConfig: { truncateThreshold: 2_000 },
    // Each project would otherwise transform the same modules again.
    experimental: { fsModuleCache: true },
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["{lib,server,components}/**/*.test.{ts,tsx}"],
          isolate: false,
          // Some wait; Vitest would use one core of two.
          maxWorkers: 3,
          // Properties of some hundred runs take long where others use the machine as well.
          testTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          ...SLOW,
          name: "integration",
          include: daily.filter(isAlone),
          env: QUIET,
          globalSetup: ["e2e/support/servers/start-shared.ts"],
          // These wait more than they work.
          maxWorkers: 4,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          ...SLOW,
          name: `integration${SHARED_PROCESSES}`,
          include: daily.filter(isShared),
          env: QUIET,
          globalSetup: ["e2e/support/servers/start-shared.ts"],
          isolate: false,
          maxWorkers: 4,
          sequence: { groupOrder: 1 },
        },
      },
      { extends: true, test: { ...LONG, name: "long", include: long.filter(isAlone) } },
      {
        extends: true,
        test: { ...LONG, name: `long${SHARED_PROCESSES}`, include: long.filter(isShared), isolate: false },
      },
    ],
  },
});
