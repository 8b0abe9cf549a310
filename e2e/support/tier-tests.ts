import { describe, test } from "vitest";
import { isLong } from "@/e2e/support/tier";

// Declare nothing, not even a skipped test. They are Vitest's functions for a suite that is in both tiers.
const nothing = () => {};
const noTest = Object.assign(nothing, { each: () => nothing, runIf: () => nothing }) as unknown as typeof test;
const noDescribe = (() => {}) as unknown as typeof describe;

/** What `npm test` leaves out. */
export const longTest = isLong ? test : noTest;

/** What `npm run test:long` leaves out, because it would be no longer there than in `npm test`. */
export const dailyTest = isLong ? noTest : test;
export const dailyDescribe = isLong ? noDescribe : describe;
