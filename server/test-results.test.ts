import { expect, test } from "vitest";
import { readPlaywright, readVitest } from "@/server/test-results";

const vitest = { numPassedTests: 3, numFailedTests: 1, numPendingTests: 1, numTodoTests: 1 };
const file = (status: string, ...assertions: string[]) => ({
  status,
  assertionResults: assertions.map((status) => ({ status })),
});

test("Vitest's tests are added up, and skipped ones shown", () => {
  const text = JSON.stringify({ ...vitest, testResults: [file("failed", "passed", "failed")] });
  expect(readVitest(text)).toEqual({ passed: 3, failed: 1, skipped: 2 });
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
  expect(readPlaywright(JSON.stringify({ stats, errors: [{}] }))).toEqual({ passed: 4, failed: 3, skipped: 2 });
});
