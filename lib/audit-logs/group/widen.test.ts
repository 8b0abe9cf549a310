import { describe, expect, test } from "vitest";
import { widen } from "@/lib/audit-logs/group/widen";

const limits = { most: 50_000, least: 10_000, budgetMs: 200 };
const quick = { tookMs: 1, passedMs: 1 };

describe("a range is widened", () => {
  test.each([0, 1, 499])("six times while %i events say little about their rate", (events) => {
    expect(widen({ events, ...quick }, limits)).toBe(6);
  });

  test("to what their rate suggests is enough, up to twelve times", () => {
    expect(widen({ events: 500, ...quick }, limits)).toBe(12);
    expect(widen({ events: 9_000, ...quick }, limits)).toBe(5);
  });

  test("by what is left of the budget", () => {
    expect(widen({ events: 12_000, tookMs: 50, passedMs: 100 }, limits)).toBe(2);
  });

  test("beyond the budget until the least number of events is found", () => {
    expect(widen({ events: 2_000, tookMs: 300, passedMs: 400 }, limits)).toBe(5);
    expect(widen({ events: 9_900, tookMs: 300, passedMs: 400 }, limits)).toBe(1.5);
  });
});

describe("a range is not widened", () => {
  test("if it has a good part of the maximum", () => {
    expect(widen({ events: 20_000, ...quick }, limits)).toBeNull();
  });

  test("if the least number is found and the budget is used up", () => {
    expect(widen({ events: 10_000, tookMs: 50, passedMs: 150 }, limits)).toBeNull();
  });

  test("if it took seconds, however few events were found", () => {
    expect(widen({ events: 0, tookMs: 2_000, passedMs: 4_000 }, limits)).toBeNull();
  });
});
