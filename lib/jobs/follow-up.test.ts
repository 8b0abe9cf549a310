import { expect, test } from "vitest";
import { followUp } from "@/lib/jobs/follow-up";

test("acts once a minute while the work goes on, and at its end, if that was requested since", async () => {
  let now = 0;
  let acts = 0;
  const after = followUp(
    async () => void acts++,
    () => now,
  );
  const actsAt = async (ms: number, run = after.runIfDue) => {
    now = ms;
    await run();
    return acts;
  };
  expect(await actsAt(90_000)).toBe(0);
  after.request();
  expect(await actsAt(91_000)).toBe(1);
  after.request();
  expect(await actsAt(92_000)).toBe(1);
  expect(await actsAt(151_000)).toBe(2);
  after.request();
  expect(await actsAt(152_000, after.runAtEnd)).toBe(3);
  expect(await actsAt(300_000, after.runAtEnd)).toBe(3);
});
