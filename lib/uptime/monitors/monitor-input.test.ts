import { assert, jsonValue, property } from "fast-check";
import { expect, test } from "vitest";
import { monitorChange, monitorInput } from "@/lib/uptime/fields";

test("input of any shape is judged without an exception", () => {
  expect(monitorInput.safeParse([]).success).toBe(false);
  const input = jsonValue();
  assert(
    property(input, input, (one, authentication) => {
      for (const value of [one, { type: one, target: one, authentication, tcp: one, headers: one }]) {
        expect(() => [monitorInput.safeParse(value), monitorChange.safeParse(value)]).not.toThrow();
      }
    }),
  );
});
