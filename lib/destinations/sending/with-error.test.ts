import { expect, test } from "vitest";
import { withError } from "@/lib/destinations/sending/with-error";

const at = (minute: number) => new Date(Date.UTC(2026, 10, 24, 12, minute));
const error = (message: string, answer: string | null = null) => ({ message, status: 503, answer });

test("a failure like the last one is counted with it, and has the newest answer", () => {
  const errors = withError(
    withError([], error("HTTP status 503", "first"), at(0)),
    error("HTTP status 503", "second"),
    at(1),
  );
  expect(errors).toEqual([
    {
      ...{ message: "HTTP status 503", status: 503, answer: "second", attempts: 2 },
      ...{ first_at: at(0).toISOString(), last_at: at(1).toISOString() },
    },
  ]);
});

test("other failures come first, and only the last ten are kept", () => {
  const errors = Array.from({ length: 12 }, (_, nth) => nth).reduce(
    (before, nth) => withError(before, error(`failure ${nth}`), at(nth)),
    withError([], error("HTTP status 503"), at(0)),
  );
  expect(errors.map(({ message }) => message)).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2].map((nth) => `failure ${nth}`));
});
