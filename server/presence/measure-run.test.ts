import { expect, test } from "vitest";
import { jobRuns } from "@/server/presence/job-runs";
import { measureRun } from "@/server/presence/measure-run";

test("a run that goes on counts as one every 10 s, and the last part with its own duration", () => {
  let now = 0;
  const run = measureRun("test.lasting", () => now);
  const durationAfter = (ms: number, step: () => void) => {
    now += ms;
    step();
    return jobRuns()["test.lasting"]?.duration_ms;
  };
  expect(durationAfter(9_000, run.progress)).toBeUndefined();
  expect(durationAfter(2_000, run.progress)).toBe(11_000);
  expect(durationAfter(5_000, run.progress)).toBe(11_000);
  expect(durationAfter(1_000, () => run.end(null))).toBe(6_000);
  expect(jobRuns()["test.lasting"]?.last_error).toBeNull();
});
