import { type ChildProcess, spawn } from "node:child_process";
import { appendFileSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { prepareData } from "@/e2e/support/servers/prepared-data";
import { ensureBuild } from "@/server/build/ensure-build";
import { readPlaywright, readVitest, sayTally, type Tally } from "@/server/testing/test-results";

interface Suite {
  /** Commands below node_modules, run one after the other until one fails. */
  commands: string[][];
  /** Variables of the last command, such as where to leave its results. */
  env?: Record<string, string>;
  /** Adds up the results file; a suite without this counts as one test. */
  read?: (results: string) => Tally;
}

const results = mkdtempSync(join(tmpdir(), "sealwatch-tests-"));
/** See e2e/support/servers/prepared-data.ts: suites that run in parallel share it. Undefined if tests that run these have it already. */
const data = process.env.SEALWATCH_TEST_DATA ? undefined : mkdtempSync(join(tmpdir(), "sealwatch-prepared-"));
process.env.SEALWATCH_TEST_DATA ??= data;
const fileOf = (suite: string) => join(results, `${suite}.json`);

function vitest(suite: string, projects = suite): Suite {
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${fileOf(suite)}`];
  const options = ["--project", projects, "--passWithNoTests", ...reporters];
  return { commands: [["vitest/vitest.mjs", "run", ...options]], read: readVitest };
}

function playwright(suite: string, env: Record<string, string> = {}): Suite {
  return {
    commands: [["playwright/cli.js", "test", "--pass-with-no-tests", "--reporter=list,json"]],
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: fileOf(suite), ...env },
    read: readPlaywright,
  };
}

const suites: Record<string, Suite> = {
  lint: { commands: [["@biomejs/biome/bin/biome", "check", "."]] },
  types: {
    // Next generates the types of its files and of our routes. A fresh clone does not have them.
    commands: [
      ["next/dist/bin/next", "typegen"],
      ["typescript/bin/tsc", "--noEmit"],
    ],
  },
  unit: vitest("unit"),
  integration: vitest("integration", "integration*"),
  journeys: playwright("journeys"),
  long: vitest("long", "long*"),
  "long-journeys": playwright("long-journeys", { TEST_TIER: "long" }),
};

/** The suites of `npm test`: fast ones that often fail come first. Suites of one entry run in parallel. */
const ORDER = [["lint", "types"], ["unit"], ["integration", "journeys"]];
/** The suites of `npm run test:long`. */
const LONG_ORDER = [["long"], ["long-journeys"]];

const running = new Set<ChildProcess>();

/** Runs a package's program with output to this process's streams or to a file. Resolves to its exit code. */
function run([program = "", ...args]: string[], env: Record<string, string>, output?: number): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join("node_modules", program), ...args], {
      stdio: output === undefined ? "inherit" : ["ignore", output, output],
      env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1", ...env },
    });
    running.add(child);
    const end = (code: number | null) => {
      running.delete(child);
      resolve(code ?? 1);
    };
    child.once("error", () => end(1));
    child.once("close", end);
  });
}

async function test(name: string, { commands, env, read }: Suite, filter: string[], output?: number): Promise<Tally> {
  let code = 0;
  for (const [index, command] of commands.entries()) {
    const isLast = index === commands.length - 1;
    code = await run(isLast && read ? [...command, ...filter] : command, (isLast && env) || {}, output);
    if (code !== 0) break;
  }
  if (!read) return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
  let tally: Tally = { passed: 0, failed: 0, skipped: 0 };
  try {
    tally = read(readFileSync(fileOf(name), "utf8"));
  } catch {
    // The runner crashed before it wrote results. The check below makes that a failure.
  }
  const ran = tally.passed + tally.failed;
  // With a filter, one of several suites may have no tests to run.
  const failed = code !== 0 || (ran === 0 && filter.length === 0);
  return tally.failed === 0 && failed ? { ...tally, failed: 1 } : tally;
}

/** Runs suites in parallel. The output of the first is printed live, that of the others after all have ended. */
async function testTogether(names: string[], filter: string[]): Promise<[string, Tally, number][]> {
  const outputs = names.map((name, index) => (index === 0 ? undefined : openSync(join(results, `${name}.log`), "w")));
  console.log(`\n── ${names.join(", beside ")} ──`);
  const tallies = await Promise.all(
    names.map(async (name, index): Promise<[string, Tally, number]> => {
      const startedAt = performance.now();
      const tally = await test(name, suites[name] as Suite, filter, outputs[index]);
      return [name, tally, performance.now() - startedAt];
    }),
  );
  for (const [index, output] of outputs.entries()) {
    if (output === undefined) continue;
    closeSync(output);
    console.log(`\n── ${names[index]} ──\n${readFileSync(join(results, `${names[index]}.log`), "utf8")}`);
  }
  return tallies;
}

function cleanUp(): void {
  for (const folder of [results, data]) if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
}

const args = process.argv.slice(2);
const isLong = args[0] === "--long";
const words = isLong ? args.slice(1) : args;
const named = words.filter((word) => word in suites);
const filter = words.filter((word) => !(word in suites));
if (filter.length > 0 && named.length === 0 && !isLong) {
  console.error(`Usage: npm test [-- ${Object.keys(suites).join("|")} [FILE OR OPTION OF ITS RUNNER]…]`);
  process.exit(2);
}
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    for (const child of running) child.kill(signal);
    cleanUp();
    process.exit(128 + constants.signals[signal]);
  });
}

/**
 * Suites that wait for a build and for prepared databases. Both begin beside the units; their errors are reported when these suites build
 * and prepare again.
 */
const SERVED = ["integration", "journeys"];

const total: Tally = { passed: 0, failed: 0, skipped: 0 };
const lines: string[] = [];
const failures: string[] = [];
const orders = named.length > 0 ? [...ORDER, ...LONG_ORDER] : isLong ? LONG_ORDER : ORDER;
for (const beside of orders) {
  const names = beside.filter((name) => named.length === 0 || named.includes(name));
  if (names.length === 0) continue;
  const isBuilt = names.includes("unit") && (named.length === 0 || SERVED.some((name) => named.includes(name)));
  if (isBuilt) for (const early of [prepareData(), ensureBuild(new AbortController().signal)]) early.catch(() => {});
  for (const [name, tally, ms] of await testTogether(names, filter)) {
    lines.push(`${name.padEnd(13)} ${sayTally(tally)} (${(ms / 1000).toFixed(1)} s)`);
    total.passed += tally.passed;
    total.failed += tally.failed;
    total.skipped += tally.skipped;
    failures.push(...(tally.failures ?? []));
  }
}
if (total.passed + total.failed === 0) total.failed = 1;
cleanUp();
// Continuous integration adds up the results of several runs from this file.
if (process.env.TEST_TALLIES) appendFileSync(process.env.TEST_TALLIES, `${JSON.stringify({ ...total, failures })}\n`);
for (const failure of failures) console.log(`\nFailed: ${failure}`);
console.log(`\n${lines.join("\n")}\n${sayTally(total)}`);
process.exit(total.failed === 0 ? 0 : 1);
