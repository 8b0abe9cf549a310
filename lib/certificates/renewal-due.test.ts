import { describe, expect, test } from "vitest";
import { renewalDueAt } from "@/lib/certificates/renewal-due";

const day = (n: number) => new Date(Date.UTC(2026, 0, 1 + n));
const validity = { notBefore: day(0), notAfter: day(90) };
const window = (from: number, to: number) => ({ start: day(from), end: day(to) });

describe("a renewal is due", () => {
  test.each([
    ["with a third of the lifetime left", null, 60],
    ["from the start of its authority's window", { window: window(55, 57), moved: null }, 55],
    ["from the window as first moved", { window: window(12, 13), moved: { to: window(10, 11) } }, 10],
    ["as without a window if that ends after the expiry", { window: window(80, 91), moved: null }, 60],
  ])("%s", (_when, suggestion, expected) => {
    expect(renewalDueAt(validity, suggestion)).toEqual(day(expected));
  });
});
