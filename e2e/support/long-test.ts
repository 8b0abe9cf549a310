import { test } from "vitest";
import { isLong } from "@/e2e/support/tier";

const leaveOut = Object.assign(() => {}, { each: () => () => {} }) as unknown as typeof test;

/** Vitest's `test` for what `npm test` leaves out in a suite of both tiers: there it declares nothing, not even a skipped test. */
export const longTest = isLong ? test : leaveOut;
