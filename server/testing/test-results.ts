import { stripVTControlCharacters } from "node:util";
import * as z from "zod";

/** The result of a test run. */
export interface Tally {
  passed: number;
  failed: number;
  skipped: number;
  /** Each failure in short: the runner's own message may be hundreds of lines above. */
  failures?: string[];
}

/** `3 passed, 1 failed`, and `, 2 skipped` if there are any. */
export function sayTally({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

const LONGEST_FAILURE = 1_500;

const vitestResults = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string().default(""),
      status: z.string(),
      message: z.string().default(""),
      assertionResults: z.array(
        z.object({
          status: z.string(),
          fullName: z.string().default(""),
          failureMessages: z.array(z.string()).default([]),
        }),
      ),
    }),
  ),
});

interface PlaywrightSuite {
  specs: {
    file: string;
    title: string;
    ok: boolean;
    tests: { results: { errors: { message?: string | undefined }[] }[] }[];
  }[];
  suites: PlaywrightSuite[];
}

const playwrightSuite: z.ZodType<PlaywrightSuite> = z.object({
  specs: z
    .array(
      z.object({
        file: z.string(),
        title: z.string(),
        ok: z.boolean(),
        tests: z.array(
          z.object({ results: z.array(z.object({ errors: z.array(z.object({ message: z.string().optional() })) })) }),
        ),
      }),
    )
    .default([]),
  get suites() {
    return z.array(playwrightSuite).default([]);
  },
});

const playwrightResults = z.object({
  suites: z.array(playwrightSuite).default([]),
  errors: z.array(z.unknown()),
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number(), skipped: z.number() }),
});

/** Adds up the JSON of Vitest's reporter. A file that fails outside of its tests counts as one failure. */
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
    failures: [
      ...broken.map(({ name, message }) => failure(name, [message])),
      ...results.testResults.flatMap(({ name, assertionResults }) =>
        assertionResults
          .filter(({ status }) => status === "failed")
          .map(({ fullName, failureMessages }) => failure(`${name}: ${fullName}`, failureMessages)),
      ),
    ],
  };
}

function failure(name: string, messages: (string | undefined)[]): string {
  return stripVTControlCharacters(`${name}\n${messages.join("\n")}`).slice(0, LONGEST_FAILURE);
}

/** Adds up the JSON of Playwright's reporter. A test that passes only on retry counts as a failure. */
export function readPlaywright(text: string): Tally {
  const { errors, stats, suites } = playwrightResults.parse(JSON.parse(text));
  const specs = (suite: PlaywrightSuite): PlaywrightSuite["specs"] => [...suite.specs, ...suite.suites.flatMap(specs)];
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + errors.length,
    skipped: stats.skipped,
    failures: suites
      .flatMap(specs)
      .map(({ tests, ...spec }) => ({
        ...spec,
        errors: tests.flatMap(({ results }) => results.flatMap((r) => r.errors)),
      }))
      .filter(({ ok, errors }) => !ok || errors.length > 0)
      .map(({ file, title, errors }) =>
        failure(
          `${file}: ${title}`,
          errors.map(({ message }) => message),
        ),
      ),
  };
}
