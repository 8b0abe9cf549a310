import { expect, test } from "vitest";
import { setClock, withClock } from "@/server/demo/clock";

test("within it, times are of the set time; afterwards, the clock is the real one", async () => {
  const real = Date;
  const past = Date.UTC(2026, 0, 31);
  await withClock(async () => {
    setClock(past);
    const soon = past + 60_000;
    for (const time of [Date.now(), Date.parse(new Date().toISOString())]) {
      expect(time).toBeGreaterThanOrEqual(past);
      expect(time).toBeLessThan(soon);
    }
    expect(new Date(0).toISOString()).toBe("1970-01-01T00:00:00.000Z");
    expect(new Date()).toBeInstanceOf(Date);
    expect(new real(0)).toBeInstanceOf(Date);
  });
  expect(Date).toBe(real);
  expect(() => setClock(past)).toThrow("the clock is the real one");
});

test("the clock is the real one again after a failure", async () => {
  const real = Date;
  const failing = withClock(async () => {
    throw new Error("No.");
  });
  await expect(failing).rejects.toThrow("No.");
  expect(Date).toBe(real);
});
