/**
 * Whether this is `npm run test:long`. A suite in both tiers runs all its tests there, and those against everyday regressions in
 * `npm test`; vitest.config.ts finds these suites by this import.
 */
export const isLong = process.env.TEST_TIER === "long";
