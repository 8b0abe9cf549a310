import { z } from "zod";

/** What came of tests. */
export interface Tally {
  passed: number;
  failed: number;
  skipped: number;
}

const vitestResults = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
  testResults: z.array(z.object({ status: z.string(), assertionResults: z.array(z.object({ status: z.string() })) })),
});

const playwrightResults = z.object({
  errors: z.array(z.unknown()),
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number(), skipped: z.number() }),
});

/** Adds up the JSON of Vitest's reporter. A file that broke outside of its tests counts as one failure. */
export function readVitest(text: string): Tally {
  const results = vitestResults.parse(JSON.parse(text));
  const broken = results.testResults.filter(
    ({ status, assertionResults }) =>
      status === "failed" && !assertionResults.some(({ status }) => status === "failed"),
  );
  return {
    passed: results.numPassedTests,
    failed: results.numFailedTests + broken.length,
    skipped: results.numPendingTests + results.numTodoTests,
  };
}

/** Adds up the JSON of Playwright's reporter. What passed only at a second try did not pass. */
export function readPlaywright(text: string): Tally {
  const { errors, stats } = playwrightResults.parse(JSON.parse(text));
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky + errors.length, skipped: stats.skipped };
}
