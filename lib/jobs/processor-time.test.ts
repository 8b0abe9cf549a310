import { expect, test } from "vitest";
import { OutOfTime, ProcessorTime } from "@/lib/jobs/processor-time";

/** Processor time with clocks of its own, in milliseconds. */
function makeTime() {
  const at = { now: 1_000, used: 0 };
  const time = new ProcessorTime(
    () => at.now,
    () => at.used,
  );
  const work = (organizationId: string, ms: number) =>
    time.spend(organizationId, () => {
      at.used += ms;
      return ms;
    });
  return { at, time, work };
}

test("an organization whose work is slow waits until it is within its share, and others do not", () => {
  const { at, time, work } = makeTime();
  for (let n = 0; n < 75; n++) expect(work("hostile", 40)).toBe(40);
  expect(() => time.require("hostile")).not.toThrow();
  work("hostile", 40);
  expect(() => time.require("hostile")).toThrow(OutOfTime);
  expect(() => time.require("acme")).not.toThrow();
  at.now += 400;
  expect(() => time.require("hostile")).not.toThrow();
  work("hostile", 40);
  expect(() => time.require("hostile")).toThrow(OutOfTime);
});

test("usual work is free, however often it is done, and failing work counts too", () => {
  const { at, time, work } = makeTime();
  for (let n = 0; n < 100_000; n++) work("acme", 5);
  expect(() => time.require("acme")).not.toThrow();
  const fail = () =>
    time.spend("acme", () => {
      at.used += 3_001;
      throw new Error("no JSON");
    });
  expect(fail).toThrow("no JSON");
  expect(() => time.require("acme")).toThrow(OutOfTime);
});

test("measures the time of this process", () => {
  const time = new ProcessorTime();
  const spin = () => {
    for (const end = performance.now() + 20; performance.now() < end; );
  };
  for (let n = 0; n < 10; n++) time.spend("acme", spin);
  expect(() => time.require("acme")).not.toThrow();
});
