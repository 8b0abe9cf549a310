import { expect, test } from "vitest";
import { inTime } from "@/lib/time/in-time";

test("work that is late is left alone, and its later failure is no one's", async () => {
  expect(await inTime(Promise.resolve("done"), 60_000)).toBe("done");
  await expect(inTime(Promise.reject(new Error("failed")), 60_000)).rejects.toThrow("failed");
  let fail = (_: Error) => {};
  const hanging = new Promise<string>((_, reject) => {
    fail = reject;
  });
  expect(await inTime(hanging, 1)).toBeNull();
  fail(new Error("too late"));
});
