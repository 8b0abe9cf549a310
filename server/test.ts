import { type ChildProcess, spawn } from "node:child_process";
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { readPlaywright, readVitest, sayTally, type Tally } from "@/server/test-results";

interface Suite {
  /** Commands below node_modules, run one after the other until one fails. */
  commands: string[][];
  /** Variables that tell the last command where to leave its results. */
  env?: Record<string, string>;
  /** Adds up what was left there; a suite without this counts as one test. */
  read?: (results: string) => Tally;
  /** Runs only when it is named: `npm run test:long` does. */
  onRequest?: true;
}

const results = mkdtempSync(join(tmpdir(), "sealwatch-tests-"));
const fileOf = (suite: string) => join(results, `${suite}.json`);

function vitest(project: string): Suite {
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${fileOf(project)}`];
  return { commands: [["vitest/vitest.mjs", "run", "--project", project, ...reporters]], read: readVitest };
}

/** Everything that is tested, in the order it runs: what is quick and often wrong first. */
const suites: Record<string, Suite> = {
  lint: { commands: [["@biomejs/biome/bin/biome", "check", "."]] },
  types: {
    // The types of Next's own files and of our routes are generated, and absent in a fresh clone.
    commands: [
      ["next/dist/bin/next", "typegen"],
      ["typescript/bin/tsc", "--noEmit"],
    ],
  },
  unit: vitest("unit"),
  integration: vitest("integration"),
  journeys: {
    commands: [["playwright/cli.js", "test", "--reporter=list,json"]],
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: fileOf("journeys") },
    read: readPlaywright,
  },
  long: { ...vitest("long"), onRequest: true },
};

let running: ChildProcess | undefined;

/** Runs a program of a package with our output as its own. Resolves to its exit code. */
function run([program = "", ...args]: string[], env: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve) => {
    running = spawn(process.execPath, [join("node_modules", program), ...args], {
      stdio: "inherit",
      env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1", ...env },
    });
    running.once("error", () => resolve(1));
    running.once("close", (code) => resolve(code ?? 1));
  });
}

async function test(name: string, { commands, env, read }: Suite, filter: string[]): Promise<Tally> {
  let code = 0;
  for (const [index, command] of commands.entries()) {
    const isLast = index === commands.length - 1;
    code = await run(isLast && read ? [...command, ...filter] : command, isLast ? env : {});
    if (code !== 0) break;
  }
  if (!read) return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
  let tally: Tally = { passed: 0, failed: 0, skipped: 0 };
  try {
    tally = read(readFileSync(fileOf(name), "utf8"));
  } catch {
    // It crashed before it could say what it did; the line below makes that a failure.
  }
  const ran = tally.passed + tally.failed;
  return tally.failed === 0 && (code !== 0 || ran === 0) ? { ...tally, failed: 1 } : tally;
}

const args = process.argv.slice(2);
const chosen = args.filter((word) => word in suites);
const filter = args.filter((word) => !(word in suites));
if (filter.length > 0 && chosen.length === 0) {
  console.error(`Usage: npm test [-- ${Object.keys(suites).join("|")} [FILE OR OPTION OF ITS RUNNER]…]`);
  process.exit(2);
}
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    running?.kill(signal);
    rmSync(results, { recursive: true, force: true });
    process.exit(128 + constants.signals[signal]);
  });
}

const total: Tally = { passed: 0, failed: 0, skipped: 0 };
const lines: string[] = [];
const failures: string[] = [];
for (const [name, suite] of Object.entries(suites)) {
  if (chosen.length > 0 ? !chosen.includes(name) : suite.onRequest) continue;
  console.log(`\n── ${name} ──`);
  const startedAt = performance.now();
  const tally = await test(name, suite, filter);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  lines.push(`${name.padEnd(12)} ${sayTally(tally)} (${seconds} s)`);
  total.passed += tally.passed;
  total.failed += tally.failed;
  total.skipped += tally.skipped;
  failures.push(...(tally.failures ?? []));
}
rmSync(results, { recursive: true, force: true });
// Continuous integration adds up what several runs leave there.
if (process.env.TEST_TALLIES) appendFileSync(process.env.TEST_TALLIES, `${JSON.stringify(total)}\n`);
for (const failure of failures) console.log(`\nFailed: ${failure}`);
console.log(`\n${lines.join("\n")}\n${sayTally(total)}`);
process.exit(total.failed === 0 ? 0 : 1);
