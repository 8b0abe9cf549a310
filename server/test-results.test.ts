import { expect, test } from "vitest";
import { readPlaywright, readVitest } from "@/server/test-results";

const vitest = { numPassedTests: 3, numFailedTests: 1, numPendingTests: 1, numTodoTests: 1 };
const file = (status: string, ...assertions: string[]) => ({
  status,
  assertionResults: assertions.map((status) => ({ status })),
});

test("Vitest's tests are added up, and skipped ones shown", () => {
  const text = JSON.stringify({ ...vitest, testResults: [file("failed", "passed", "failed")] });
  expect(readVitest(text)).toMatchObject({ passed: 3, failed: 1, skipped: 2 });
});

test("a file that broke outside of its tests is a failure", () => {
  const text = JSON.stringify({
    ...vitest,
    numFailedTests: 0,
    testResults: [file("failed", "passed"), file("failed")],
  });
  expect(readVitest(text).failed).toBe(2);
});

test("what Playwright had to try twice did not pass", () => {
  const stats = { expected: 4, unexpected: 1, flaky: 1, skipped: 2 };
  expect(readPlaywright(JSON.stringify({ stats, errors: [{}] }))).toMatchObject({ passed: 4, failed: 3, skipped: 2 });
});

test("what failed is named, with its first words", () => {
  const [told] =
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
  expect(told).toMatch(/^a\.test\.ts: is exact\nexpected 1\.+$/);
  expect(told?.length).toBeLessThan(2_000);
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
