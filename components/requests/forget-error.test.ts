import { expect, test } from "vitest";
import { forgetError } from "@/components/requests/forget-error";

test("an error is forgotten, and a call without one goes on", () => {
  let times = 0;
  const reset = () => {
    times += 1;
  };
  forgetError({ error: null, reset });
  expect(times).toBe(0);
  forgetError({ error: new Error("refused"), reset });
  expect(times).toBe(1);
});
