import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readPlaywright, readVitest } from "@/server/testing/test-results";

const vitest = { numPassedTests: 3, numFailedTests: 1, numPendingTests: 1, numTodoTests: 1 };
const file = (status: string, ...assertions: string[]) => ({
  status,
  assertionResults: assertions.map((status) => ({ status })),
});

test("Vitest's tests are added up, including skipped ones", () => {
  const text = JSON.stringify({ ...vitest, testResults: [file("failed", "passed", "failed")] });
  expect(readVitest(text)).toMatchObject({ passed: 3, failed: 1, skipped: 2 });
});

test("a file that fails outside of its tests is a failure", () => {
  const text = JSON.stringify({
    ...vitest,
    numFailedTests: 0,
    testResults: [file("failed", "passed"), file("failed")],
  });
  expect(readVitest(text).failed).toBe(2);
});

test("a Playwright test that passes only on retry is a failure", () => {
  const stats = { expected: 4, unexpected: 1, flaky: 1, skipped: 2 };
  expect(readPlaywright(JSON.stringify({ stats, errors: [{}] }))).toMatchObject({ passed: 4, failed: 3, skipped: 2 });
});

test("a failure has the test's name and the beginning of its message", () => {
  const [failure] =
    readVitest(
      JSON.stringify({
        ...vitest,
        testResults: [
          {
            name: "a.test.ts",
            status: "failed",
            assertionResults: [
              { status: "passed", fullName: "is well", failureMessages: [] },
              { status: "failed", fullName: "is exact", failureMessages: [`\u001b[31mexpected 1${".".repeat(9_999)}`] },
            ],
          },
        ],
      }),
    ).failures ?? [];
  expect(failure).toMatch(/^a\.test\.ts: is exact\nexpected 1\.+$/);
  expect(failure?.length).toBeLessThan(2_000);
  const spec = (title: string, ok: boolean, ...messages: string[]) => ({
    file: "b.spec.ts",
    title,
    ok,
    tests: [{ results: [{ errors: messages.map((message) => ({ message })) }] }],
  });
  const suites = [{ specs: [spec("passes", true)], suites: [{ specs: [spec("fails", false, "not visible")] }] }];
  const stats = { expected: 1, unexpected: 1, flaky: 0, skipped: 0 };
  expect(readPlaywright(JSON.stringify({ stats, errors: [], suites })).failures).toEqual([
    "b.spec.ts: fails\nnot visible",
  ]);
});

const tally = (passed: number, failed = 0, skipped = 0, failures?: string[]) =>
  JSON.stringify({ passed, failed, skipped, failures });

function addUp(lines: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), "sealwatch-tallies-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "tallies");
  writeFileSync(file, lines.map((line) => `${line}\n`).join(""));
  return spawnSync(process.execPath, [".ci/add-up.mjs", file, "2"], { encoding: "utf8" });
}

test.each([
  [[tally(800), tally(20)], "820 passed, 0 failed", 0],
  [[tally(799, 1), tally(19, 1, 3)], "818 passed, 2 failed, 3 skipped", 1],
  [[tally(800)], "800 passed, 1 failed", 1],
  [[], "0 passed, 2 failed", 1],
] as const)("continuous integration adds up two runs: %j is %s", (lines, last, code) => {
  const { stdout, status } = addUp(lines);
  expect(stdout.trimEnd().split("\n").at(-1)).toBe(last);
  expect(status).toBe(code);
});

test("continuous integration repeats the failures of both runs before its last line", () => {
  const { stdout } = addUp([tally(1, 1, 0, ["a.test.ts: is exact"]), tally(1, 1, 0, ["b.test.ts: is well"])]);
  expect(stdout).toBe("\nFailed: a.test.ts: is exact\n\nFailed: b.test.ts: is well\n\n2 passed, 2 failed\n");
});
