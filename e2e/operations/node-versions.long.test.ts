import { spawn } from "node:child_process";
import { chmodSync, cpSync, mkdtempSync, rmSync, unlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cloneInto } from "@/e2e/support/servers/clone";

/** Operator commands alongside a running server, without the many that are refused. */
const COMMANDS = ["operations/cli", "-t", "^(?!.*no standard output)"];
/**
 * The supported Node.js releases except the one that runs these tests, and the tests for each: the newest long-term
 * release is the recommended one. The first builds and migrates; the others run the same build on copies of the tests' databases.
 */
const RELEASES: [major: number, ...suites: string[][]][] = [
  [24, ["unit"], ["integration", "operations/start", ...COMMANDS]],
  [22, ["integration", ...COMMANDS]],
  [26, ["integration", ...COMMANDS]],
];

const folder = mkdtempSync(join(tmpdir(), "sealwatch-node-"));
const clone = join(folder, "clone");
// PostgreSQL refuses to run as root; the account it then gets must be able to pass through.
chmodSync(folder, 0o711);
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }));

/** The tests' own environment, without that of the test runner. */
const { PATH, HOME, TMPDIR, CI, CHROMIUM_PATH, NODE_ENV = "test" } = process.env;
const bare = { PATH, HOME, TMPDIR, CI, CHROMIUM_PATH, NODE_ENV };

function run(
  command: string,
  args: string[],
  cwd: string,
  env: NodeJS.ProcessEnv = bare,
): Promise<{ code: number; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (text: Buffer) => (output += text));
    child.once("error", reject);
    child.once("close", (code) => resolve({ code: code ?? -1, output }));
  });
}

/**
 * Downloads a release of Node.js from npm, which has a package with the program for each platform. npm gets the whole
 * environment, because its registry, proxy and certificate authorities may be there.
 */
async function fetchNode(major: number): Promise<string> {
  const name = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
  const home = join(folder, `node-${major}`);
  const flags = ["--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const { code, output } = await run(
    "npm",
    ["install", ...flags, "--prefix", home, `${name}@${major}`],
    folder,
    process.env,
  );
  if (code !== 0) throw new Error(output);
  return join(home, "node_modules", name, "bin", "node");
}

beforeAll(async () => {
  cloneInto(clone);
  for (const built of [".next", "dist"]) rmSync(join(clone, built), { recursive: true, force: true });
  // A build resolves packages in the clone itself. Hard links cost nothing; if they are impossible, the files are copied.
  const packages = join(clone, "node_modules");
  unlinkSync(packages);
  if ((await run("cp", ["-al", "node_modules", packages], ".")).code !== 0) {
    rmSync(packages, { recursive: true, force: true });
    cpSync("node_modules", packages, { recursive: true, verbatimSymlinks: true });
  }
});

test.each(RELEASES)("Node.js %i runs the same", async (major, ...suites) => {
  const { SEALWATCH_TEST_DATA } = process.env;
  const env = major === RELEASES[0]?.[0] ? bare : { ...bare, SEALWATCH_TEST_DATA };
  const node = await fetchNode(major);
  expect((await run(node, ["--version"], folder)).output).toMatch(new RegExp(`^v${major}\\.`));
  for (const suite of suites) {
    const { code, output } = await run(node, ["server/start.mjs", "--test", ...suite], clone, env);
    expect([code, code === 0 ? "" : output]).toEqual([0, ""]);
  }
});
