import { expect, test } from "vitest";
import { OriginCache } from "@/lib/audit-logs/write/first-seen-origins";

test("an origin is known for a minute, and then looked up in the database again", () => {
  const known = new OriginCache();
  known.add("a", 0);
  known.add("b", 30_000);
  expect([known.has("a", 59_999), known.has("b", 59_999), known.has("c", 59_999)]).toEqual([true, true, false]);
  expect([known.has("a", 60_000), known.has("b", 60_000)]).toEqual([false, true]);
  known.add("a", 60_000);
  expect([known.has("a", 119_999), known.has("b", 90_000)]).toEqual([true, false]);
});
